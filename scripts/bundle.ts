import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Modules whose package is a development dependency, as entries of their own so that tests can load them from dist. */
const PACKAGE_MODULES = [
  'verify/match/abi-parameters',
  'mirror/ingest/source/bucket/s3-client',
  'mirror/evm/rlp',
];
/** What Node loads by path, besides the threads. */
const ENTRIES = ['main', 'index'];
/** Installed for those who import its types; its 247 files are a quarter of those that a start would read. */
const BUNDLED = ['@sinclair/typebox'];
const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(licen[sc]e|copying|notice)/i;

export interface Bundle {
  /** Scripts and source maps, by path from the project. */
  readonly outputs: readonly string[];
  /** Folders of the packages that came in, below the project's, in order. */
  readonly packages: readonly string[];
}

/**
 * Bundles the sources, with those packages that npm does not install beside them.
 *
 * Every script lies directly in the folder, so that `src/own-files.ts` is as deep there as in `src`; what commands
 * import when they run stays apart. Names are not shortened: errors and metrics show them.
 *
 * @see docs/adr/0025-build-and-package.md
 */
export async function bundle({
  outdir = 'dist',
  writes,
}: {
  readonly outdir?: string;
  readonly writes: boolean;
}): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...ENTRIES, ...PACKAGE_MODULES, ...threads()].map((name) => `src/${name}.ts`),
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    plugins: [installedPackages()],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    // What is CommonJS inside asks for Node's own modules.
    banner: {
      js: "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);",
    },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, text } of writes ? outputFiles : []) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.js') ? asAscii(text) : text);
  }
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return {
    outputs: Object.keys(metafile.outputs),
    packages: [...new Set(used.flatMap((path) => FOLDER.exec(path)?.[0] ?? []))].sort(),
  };
}

/**
 * One character beyond Latin-1, and the engine keeps two bytes for each of a script. esbuild leaves those of tagged
 * templates, of which only `String.raw` sees how they are written.
 */
function asAscii(script: string): string {
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What npm installs stays outside. What a bundled package imports comes in: npm may have installed another version. */
function installedPackages(): Plugin {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(`${ROOT}package.json`, 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>;
  const names = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
  for (const name of BUNDLED) names.delete(name);
  return {
    name: 'installed packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ importer, path }) => {
        const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        const isOurs = !FOLDER.test(importer);
        return isOurs && names.has(name) ? { path, external: true } : undefined;
      });
    },
  };
}

/** Modules that `startThread` is called with. @throws Error when two have the same name of a file. */
function threads(): readonly string[] {
  const calls = sources().flatMap((path) => [
    ...readFileSync(join(ROOT, 'src', path), 'utf8').matchAll(/\bstartThread\(\s*'([^']+)'/g),
  ]);
  const names = [...new Set(calls.map(([, name = '']) => name))].filter((name) => !ENTRIES.includes(name));
  const files = new Set(names.map((name) => basename(name)));
  if (files.size < names.length) throw new Error(`Two threads have the same name: ${names.join(', ')}`);
  return names;
}

function sources(): readonly string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((path) => /(?<!\.test)\.ts$/.test(path));
}

/** The licence texts of packages, each text once. */
export function bundledLicences(folders: readonly string[]): string {
  const packages = new Map<string, string[]>();
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8')) as {
      name: string;
      version: string;
    };
    const files = readdirSync(`${ROOT}${folder}`).filter((file) => LICENCE_FILE.test(file));
    const texts = files.map((file) => readFileSync(`${ROOT}${folder}/${file}`, 'utf8').trim());
    const text = texts.join('\n\n') || 'No licence text in the package; see THIRD_PARTY_NOTICES.md.';
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version}`]);
  }
  return [...packages]
    .map(([text, names]) => `${names.join(', ')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
