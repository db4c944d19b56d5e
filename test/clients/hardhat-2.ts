import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingProgram } from './missing-program.ts';
import { type ClientRun, runClient } from './run-client.ts';

const PACKAGES = fileURLToPath(new URL('./hardhat-2/node_modules', import.meta.url));
const HARDHAT = join(PACKAGES, 'hardhat/internal/cli/bootstrap.js');

/** Null when hardhat 2 is installed, otherwise the reason that a skipped test prints. */
export const hardhat2Missing: string | null = missingProgram('hardhat 2', existsSync(HARDHAT));

/** A project of hardhat 2 in a folder of its own, with a home folder of its own. */
export interface Hardhat2Project {
  run(...args: readonly string[]): Promise<ClientRun>;
  remove(): void;
}

/** Where the node, the verification server and a proxy that lets nothing else through are. */
export interface Hardhat2Options {
  readonly chainId: number;
  readonly nodeUrl: string;
  readonly serverUrl: string;
  readonly proxyUrl: string;
  /** Files below the project. */
  readonly files: Readonly<Record<string, string>>;
  /** Beside the one that verifies. Default: hardhat-deploy. */
  readonly plugins?: readonly string[];
  /** Default: the bundled solc 0.8.30 with hardhat's settings. */
  readonly compiler?: Hardhat2Compiler;
}

/** A compiler of the project. */
export interface Hardhat2Compiler {
  /** With its commit. */
  readonly version: string;
  /** Of its `soljson.js`. */
  readonly path: string;
  readonly settings: object;
}

/** Of a solc that hardhat's folder has, the path of its `soljson.js`. @param version without its commit */
export function hardhat2Solc(version: string): string {
  return join(PACKAGES, `solc-${version}/soljson.js`);
}

const BUNDLED: Hardhat2Compiler = {
  version: '0.8.30+commit.73712a01',
  path: createRequire(import.meta.url).resolve('solc-0.8.30/soljson.js'),
  settings: {},
};

/**
 * Makes a project. `verify` goes both of the plugin's ways, with
 * `--config sourcify.config.js` that of version 1 of the API alone, with `--config etherscan.config.js` the other.
 */
export function openHardhat2Project(options: Hardhat2Options): Hardhat2Project {
  const { chainId, nodeUrl, serverUrl, proxyUrl, files } = options;
  const { compiler = BUNDLED, plugins = ['hardhat-deploy'] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-hardhat-2-'));
  for (const name of ['home', 'contracts', 'deploy', 'scripts']) mkdirSync(join(folder, name));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const [version = ''] = compiler.version.split('+');
  const config = {
    solidity: { version, settings: compiler.settings },
    networks: { ledger: { url: nodeUrl } },
    namedAccounts: { deployer: 0 },
    sourcify: { enabled: true, apiUrl: serverUrl, browserUrl: `${serverUrl}/repository` },
    etherscan: {
      apiKey: { ledger: 'any' },
      customChains: [
        {
          network: 'ledger',
          chainId,
          urls: { apiURL: `${serverUrl}/api/${chainId}`, browserURL: serverUrl },
        },
      ],
    },
  };
  const build = { compilerPath: compiler.path, isSolcJs: true, version, longVersion: compiler.version };
  const ways = {
    'hardhat.config.js': config,
    'sourcify.config.js': { ...config, etherscan: { enabled: false } },
    'etherscan.config.js': { ...config, sourcify: { enabled: false } },
  };
  for (const [name, way] of Object.entries(ways)) {
    writeFileSync(
      join(folder, name),
      `require('@nomicfoundation/hardhat-verify');
${plugins.map((plugin) => `require('${plugin}');`).join('\n')}
const { subtask } = require('hardhat/config');
subtask('compile:solidity:solc:get-build', async () => (${JSON.stringify(build)}));
module.exports = ${JSON.stringify(way)};
`,
    );
  }
  const environment = {
    HOME: join(folder, 'home'),
    PATH: process.env['PATH'] ?? '',
    https_proxy: proxyUrl,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    NO_COLOR: '1',
  };
  return {
    run: (...args) =>
      runClient(process.execPath, [HARDHAT, '--network', 'ledger', ...args], environment, folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
