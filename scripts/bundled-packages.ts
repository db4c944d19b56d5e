import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Modules that only name what is used of a package; in dist they hold it. */
const MODULES = [
  'verify/match/abi-parameters',
  'mirror/ingest/source/bucket/s3-client',
  'mirror/evm/rlp',
] as const;
const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(licen[sc]e|copying|notice)/i;

/**
 * Bundles the packages that MODULES name.
 *
 * @returns folders of the packages that came in, below the project's, in order
 */
export function bundlePackages({
  outdir = 'dist',
  writes,
}: {
  readonly outdir?: string;
  readonly writes: boolean;
}): readonly string[] {
  const { metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(MODULES.map((module) => [module, `src/${module}.ts`])),
    outdir,
    chunkNames: 'bundled/[name]-[hash]',
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    // What is CommonJS inside asks for Node's own modules.
    banner: {
      js: "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);",
    },
    metafile: true,
    write: writes,
    logLevel: 'warning',
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return [...new Set(used.flatMap((path) => FOLDER.exec(path)?.[0] ?? []))].sort();
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
