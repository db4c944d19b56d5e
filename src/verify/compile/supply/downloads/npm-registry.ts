import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isJsonObject } from '../../../json-object.ts';
import { type PlainAddress, splitCredentials } from '../../../url-credentials.ts';
import { CompilerSourceError } from '../../compiler-catalog.ts';

/** The registry that the npm client is configured for. */
export interface NpmRegistry {
  /** Ends in a slash. */
  readonly url: URL;
  /** Credentials, to be sent to this registry only. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the configuration of npm is read. */
export interface NpmSurroundings {
  /** Prints `npm config list --json`. */
  readonly listConfig: () => Promise<string>;
  /** Rejects with `ENOENT` when there is no such file. */
  readonly readFile: (path: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working folder, whose `.npmrc` counts. */
  readonly folder: string;
}

const NPM_TIMEOUT_MS = 20_000;

/** The npm client of this machine. */
export function systemNpm(environment: Readonly<Record<string, string | undefined>>): NpmSurroundings {
  return {
    listConfig: async () => {
      const isWindows = process.platform === 'win32';
      const options = { timeout: NPM_TIMEOUT_MS, maxBuffer: 4_194_304, shell: isWindows };
      const { stdout } = await promisify(execFile)('npm', ['config', 'list', '--json'], options);
      return stdout;
    },
    readFile: (path) => readFile(path, 'utf8'),
    environment,
    folder: process.cwd(),
  };
}

/**
 * Asks npm which registry it uses and reads the credentials for it.
 *
 * npm does not print credentials, so they are read from its files: the project's, then the user's, then the
 * global one, with `${NAME}` taken from the environment.
 *
 * @throws CompilerSourceError when its configuration cannot be read, or names no registry and npm is not installed.
 * @see contracts/verification-engine.md section 2.2
 */
export async function readNpmRegistry(npm: NpmSurroundings): Promise<NpmRegistry> {
  const config = await readConfig(npm);
  const registry = config['registry'];
  if (typeof registry !== 'string' || !URL.canParse(registry) || !/^https?:/.test(registry)) {
    throw new CompilerSourceError('npm is not configured for a registry ("npm config get registry")');
  }
  const { url, authorization: own } = readAddress(registry.endsWith('/') ? registry : `${registry}/`);
  if (own !== null) return { url, headers: { authorization: own } };
  const files = [join(npm.folder, '.npmrc'), config['userconfig'], config['globalconfig']];
  for (const path of files) {
    const settings = typeof path === 'string' ? await readSettings(path, npm) : {};
    const authorization = authorizationFor(url, settings);
    if (authorization !== null) return { url, headers: { authorization } };
  }
  return { url, headers: {} };
}

function readAddress(registry: string): PlainAddress {
  try {
    return splitCredentials(new URL(registry));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new CompilerSourceError('the credentials in the registry of npm have a broken %-sequence', error);
  }
}

async function readConfig(npm: NpmSurroundings): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await npm.listConfig();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return settingsWithoutNpm(npm);
    throw new CompilerSourceError(
      `the registry is not known: npm does not report its settings: ${message}`,
      error,
    );
  }
  try {
    const config: unknown = JSON.parse(text);
    if (isJsonObject(config)) return config;
  } catch (error) {
    throw new CompilerSourceError(
      'the registry is not known: npm prints its settings in an unknown form',
      error,
    );
  }
  throw new CompilerSourceError('the registry is not known: npm does not print its settings');
}

/** What npm itself reads for these settings, where it is not installed: the container image has none. */
async function settingsWithoutNpm(npm: NpmSurroundings): Promise<Readonly<Record<string, unknown>>> {
  const variable = (name: string) =>
    npm.environment[`npm_config_${name}`] ?? npm.environment[`NPM_CONFIG_${name.toUpperCase()}`];
  const userconfig = variable('userconfig') ?? join(npm.environment['HOME'] ?? '/', '.npmrc');
  const registry =
    variable('registry') ??
    (await readSettings(join(npm.folder, '.npmrc'), npm))['registry'] ??
    (await readSettings(userconfig, npm))['registry'];
  if (registry === undefined) {
    throw new CompilerSourceError('the registry is not known: npm is not installed; set NPM_CONFIG_REGISTRY');
  }
  return { registry, userconfig };
}

async function readSettings(
  path: string,
  { readFile: read, environment }: NpmSurroundings,
): Promise<Readonly<Record<string, string>>> {
  let text: string;
  try {
    text = await read(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new CompilerSourceError(
      `the settings of npm in ${path} cannot be read (${code ?? message})`,
      error,
    );
  }
  const entries = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const match = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match === null) return [];
    const [, name = '', value = ''] = match;
    const plain = value.replace(/^(["'])(.*)\1$/, '$2');
    return [[name, plain.replace(/\$\{([^}]+)\}/g, (whole, variable) => environment[variable] ?? whole)]];
  });
  return Object.fromEntries(entries);
}

/** Settings are named by the address without its scheme, of the registry or of a folder above it. */
function authorizationFor(url: URL, settings: Readonly<Record<string, string>>): string | null {
  const folders = url.pathname.split('/').slice(1, -1);
  for (let depth = folders.length; depth >= 0; depth--) {
    const path = folders
      .slice(0, depth)
      .map((folder) => `${folder}/`)
      .join('');
    const setting = (name: string) => settings[`//${url.host}/${path}:${name}`];
    const token = setting('_authToken');
    if (token !== undefined) return `Bearer ${token}`;
    const basic = setting('_auth');
    if (basic !== undefined) return `Basic ${basic}`;
    const [user, password] = [setting('username'), setting('_password')];
    if (user !== undefined && password !== undefined) {
      const plain = Buffer.from(password, 'base64').toString('utf8');
      return `Basic ${Buffer.from(`${user}:${plain}`).toString('base64')}`;
    }
  }
  return null;
}
