// `npm run sbom`: a CycloneDX document of what an operator installs, from the lock file, on standard output.
// npm itself leaves out packages that a development package needs as well, when it is told to omit those.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { productionPackages } from './production-packages.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}
interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const listed = spawnSync(
  'npm',
  ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (listed.status !== 0) process.exit(listed.status ?? 1);
const all = JSON.parse(listed.stdout) as Sbom;
/** Published names by the folder and version that a package is installed as: npm lists an alias under its alias. */
const shipped = new Map(
  (await productionPackages()).flatMap(({ folders, name, version }) =>
    folders.map((folder) => [`${folder.split('node_modules/').at(-1)}@${version}`, name] as const),
  ),
);
const own = all.metadata.component;
const components = all.components.flatMap((each) => {
  const name = shipped.get(`${each.name}@${each.version}`);
  const purl = `pkg:npm/${name?.replace('@', '%40')}@${each.version}`;
  return name === undefined ? [] : [{ ...each, name, purl }];
});
const refs = new Set([own['bom-ref'], ...components.map((each) => each['bom-ref'])]);
const sbom: Sbom = {
  ...all,
  // npm takes the name of the folder.
  metadata: { ...all.metadata, component: { ...own, name: 'ledgerlens' } },
  components,
  dependencies: all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
};
console.log(JSON.stringify(sbom, null, 2));
