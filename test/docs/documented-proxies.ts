import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from './read-blocks.ts';

/** What differs between the machine of the page and that of a test. */
export interface ProxyPlace {
  /** For files of the proxy. */
  readonly folder: string;
  readonly port: number;
  readonly serverPort: string;
  /** PEM files. */
  readonly certificate: string;
  readonly key: string;
}

/** A proxy whose configuration docs/operation.md shows. */
export interface DocumentedProxy {
  readonly program: 'nginx' | 'caddy' | 'haproxy';
  readonly missing: string | null;
  /** Starts it with the configuration of the page in the given place. */
  start(place: ProxyPlace): ChildProcess;
}

/** The block of the page in the given place; what is replaced must be there, or the test would test itself. */
function configuration(
  language: string,
  replacements: readonly (readonly [string, string])[],
  position = 0,
): string {
  const block = blocksOf('docs/operation.md').filter((each) => each.language === language)[position];
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/operation.md, ${language}: "${from}" is not there`);
    return text.replaceAll(from, to);
  }, block?.text ?? '');
}

function missing(program: string, ...args: readonly string[]): string | null {
  return spawnSync(program, args).status === 0
    ? null
    : `skipped: ${program} is not installed on this machine`;
}

function run(folder: string, program: string, ...args: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

const NGINX: DocumentedProxy = {
  program: 'nginx',
  missing: missing('nginx', '-v'),
  start({ folder, port, serverPort, certificate, key }) {
    const server = configuration('nginx', [
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/ledger.pem', certificate],
      ['/etc/ssl/ledger.key', key],
      ['127.0.0.1:8080', `127.0.0.1:${serverPort}`],
    ]);
    const below = configuration('nginx', [['127.0.0.1:8080', `127.0.0.1:${serverPort}`]], 1);
    // The page has what lies in a file of sites-enabled; around it the least that nginx needs.
    const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    const whole = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
access_log off;
${scratch}
${server.replace(/\}\s*$/, `${below}}`)}}
`;
    writeFileSync(join(folder, 'nginx.conf'), whole);
    return run(folder, 'nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf'));
  },
};

const CADDY: DocumentedProxy = {
  program: 'caddy',
  missing: missing('caddy', 'version'),
  start({ folder, port, serverPort, certificate, key }) {
    const site = configuration('caddyfile', [
      ['ledger.example.org {', `ledger.example.org {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
      ['127.0.0.1:8080', `127.0.0.1:${serverPort}`],
    ]);
    const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port ${port}\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), options + site);
    return run(folder, 'caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile');
  },
};

const HAPROXY: DocumentedProxy = {
  program: 'haproxy',
  missing: missing('haproxy', '-v'),
  start({ folder, port, serverPort, certificate }) {
    const text = configuration('haproxy', [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/ssl/ledger.pem', certificate],
      ['127.0.0.1:8080', `127.0.0.1:${serverPort}`],
    ]);
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    return run(folder, 'haproxy', '-db', '-f', join(folder, 'haproxy.cfg'));
  },
};

export const PROXIES: readonly DocumentedProxy[] = [NGINX, CADDY, HAPROXY];
