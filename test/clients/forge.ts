import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompilerHost } from './compiler-host.ts';
import { missingProgram } from './missing-program.ts';
import { type ClientRun, runClient } from './run-client.ts';

const SOLC = fileURLToPath(new URL('./bundled-solc.mjs', import.meta.url));

/** A forge that is installed. */
export interface ForgeVersion {
  readonly version: string;
  readonly executable: string;
}

/** The newest forge and older ones, as far as `npm run test:clients` has installed them. */
export const FORGE_VERSIONS: readonly ForgeVersion[] = [
  ['1.7.1', '@foundry-rs/forge-linux-amd64'],
  ...['1.7.0', '1.6.0-rc1', '1.5.1', '1.4.4'].map((version) => [version, `forge-${version}`]),
].flatMap(([version = '', name = '']) => {
  const executable = fileURLToPath(new URL(`./foundry/node_modules/${name}/bin/forge`, import.meta.url));
  return existsSync(executable) ? [{ version, executable }] : [];
});

/** Null when forge is installed, otherwise the reason that a skipped test prints. */
export const forgeMissing: string | null = missingProgram('forge', FORGE_VERSIONS.length === 5);

/** What a new project has as its `foundry.toml`. */
export const FOUNDRY_TOML = '[profile.default]\nsolc = "0.8.30"\noffline = true\n';

/** A forge project in a folder of its own, with a home folder of its own. */
export interface ForgeProject {
  /** Writes a file below the project. */
  write(path: string, content: string): void;
  run(...args: readonly string[]): Promise<ClientRun>;
  remove(): void;
}

/**
 * Makes a project for solc 0.8.30.
 *
 * forge looks the compiler up among those installed in its home folder, where this puts the bundled one; before
 * a verification it always asks the compiler host for the list of releases.
 */
export function openForgeProject(
  host: CompilerHost,
  executable: string = FORGE_VERSIONS[0]?.executable ?? 'forge',
): ForgeProject {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-forge-'));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const solc = 'home/.svm/0.8.30/solc-0.8.30';
  write(solc, `#!/bin/sh\nexec '${process.execPath}' '${SOLC}' "$@"\n`);
  chmodSync(join(folder, solc), 0o755);
  write('authority.pem', host.certificate);
  write('project/foundry.toml', FOUNDRY_TOML);
  const environment = {
    HOME: join(folder, 'home'),
    PATH: process.env['PATH'] ?? '',
    HTTPS_PROXY: host.proxyUrl,
    SSL_CERT_FILE: join(folder, 'authority.pem'),
    NO_PROXY: '127.0.0.1',
    NO_COLOR: '1',
  };
  return {
    write: (path, content) => write(`project/${path}`, content),
    run: (...args) => runClient(executable, args, environment, join(folder, 'project')),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
