import { type ProxiedHost, startProxiedHost } from './proxied-host.ts';

/** A stand-in for the host of compiler releases. */
export type CompilerHost = ProxiedHost;

/** Starts the host: it answers `/bin/list.txt` with the given compiler and 404 otherwise. */
export async function startCompilerHost(compilerVersion: string): Promise<CompilerHost> {
  return startProxiedHost('binaries.soliditylang.org', (request, answer) => {
    answer.statusCode = request.url === '/bin/list.txt' ? 200 : 404;
    answer.end(request.url === '/bin/list.txt' ? `soljson-v${compilerVersion}.js\n` : '');
  });
}
