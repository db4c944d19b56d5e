import type { WantedBuild } from './compiler-catalog.ts';

/** Operating system and processor, as Node names them. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
}

/** The platform of this process. */
export const thisPlatform: Platform = { os: process.platform, cpu: process.arch };

/** Version texts never hold a character that means something in a path or an address. */
const VERSION = '\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}[0-9A-Za-z.+-]{0,80}';
const FULL_SOLC = '\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(?:-[0-9A-Za-z.]{1,40})?\\+commit\\.[0-9a-f]{8}';

const SOLJSON = new RegExp(`^(?:soljson|solc-emscripten-(?:wasm32|asmjs))-v(${FULL_SOLC})\\.js$`);

/** Names of the operating systems in the releases of each compiler. */
const SOLC_OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macosx', win32: 'windows' };
const VYPER_OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const FE_OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'mac', win32: 'windows' };
const CPU: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The lowest native Solidity compiler that is used: the first that takes standard JSON.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export const LOWEST_NATIVE_SOLC = '0.4.11';

/**
 * Name of the folder of native Solidity compilers for a platform in the official release list.
 *
 * @example `linux-amd64`
 */
export function solcPlatformName({ os, cpu }: Platform): string {
  return `${SOLC_OS[os] ?? os}-${CPU[cpu] ?? cpu}`;
}

/**
 * File name under which a compiler is kept, the same as in its release except that Fe gets its version.
 *
 * @example `soljson-v0.8.30+commit.73712a01.js`, `solc-linux-amd64-v0.8.30+commit.73712a01`,
 * `vyper.0.4.0+commit.e9db8d9f.linux`, `fe_linux_amd64-v26.0.0-alpha.12`
 */
export function compilerFileName({ language, version, kind }: WantedBuild, platform: Platform): string {
  const ending = platform.os === 'win32' ? '.exe' : '';
  const cpu = CPU[platform.cpu] ?? platform.cpu;
  if (kind === 'wasm') return `soljson-v${version}.js`;
  switch (language) {
    case 'solc':
      return `solc-${solcPlatformName(platform)}-v${version}${ending}`;
    case 'vyper':
      return `vyper.${version}.${VYPER_OS[platform.os] ?? platform.os}${ending}`;
    case 'fe':
      return `fe_${FE_OS[platform.os] ?? platform.os}_${cpu}-v${version}${ending}`;
  }
}

/**
 * Reads a file name as `compilerFileName` writes it, and the names that the official list uses.
 *
 * @returns null for any other name, also for executables of another platform.
 */
export function readCompilerFileName(name: string, platform: Platform): WantedBuild | null {
  const soljson = SOLJSON.exec(name)?.[1];
  if (soljson !== undefined) return { language: 'solc', version: soljson, kind: 'wasm' };
  for (const language of ['solc', 'vyper', 'fe'] as const) {
    const pattern = compilerFileName({ language, version: '\n', kind: 'native' }, platform)
      .replaceAll('.', '\\.')
      .replace('\n', `(${language === 'solc' ? FULL_SOLC : VERSION})`);
    const version = new RegExp(`^${pattern}$`).exec(name)?.[1];
    if (version !== undefined) return { language, version, kind: 'native' };
  }
  return null;
}
