import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { productionPackages } from '../../scripts/production-packages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const packages = await productionPackages();
const title = ({ name, version }: { readonly name: string; readonly version: string }) =>
  `${name} ${version}`;

/** Licences that let us ship the package without a duty beyond naming it. */
const ALLOWED = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 CC-BY-3.0'.split(' '),
);

describe('THIRD_PARTY_NOTICES.md', () => {
  const rows = read('THIRD_PARTY_NOTICES.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

  test('has the packages of the lock file with their licences; if not: npm run notices', () => {
    expect(packages.length).toBeGreaterThan(200);
    const noticed = rows.filter(({ length }) => length === 5).slice(1);
    expect(noticed.map(([name, version, licence]) => `${name} ${version} ${licence}`)).toEqual(
      packages.map((each) => `${title(each)} ${each.licence}`),
    );
    expect(noticed.filter((cells) => cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });

  test('says that each bundled compiler is under the GPL', () => {
    const compilers = rows.filter(([, , licence]) => licence === 'GPL-3.0').map(([version]) => version);
    expect(compilers).toEqual(packages.filter(({ name }) => name === 'solc').map(({ version }) => version));
    expect(compilers.length).toBeGreaterThan(3);
    expect(read('licences/GPL-3.0.txt')).toContain('GNU GENERAL PUBLIC LICENSE');
  });

  test('names who holds the copyright of each package that brings a licence', () => {
    const nameless = rows
      .filter((cells) => cells.length === 5 && !/^none|^Licence text/.test(cells[4] ?? ''))
      .filter(([, , , holder = '']) => !/[a-z]{2}/i.test(holder.replace(/copyright|\(c\)|©|\d{4}/gi, '')));
    expect(nameless).toEqual([]);
  });

  test('has the parts of packages that are inside our files', () => {
    const inside = (way: string) => packages.filter(({ comes }) => comes === way).map(({ name }) => name);
    expect(inside('bundled')).toEqual(expect.arrayContaining(['@aws-sdk/client-s3', 'abitype', 'ox']));
    expect(inside('packed')).toEqual(['solc', 'solc', 'solc', 'solc', 'solc']);
  });

  test('is in the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };
    expect(files).toEqual(expect.arrayContaining(['THIRD_PARTY_NOTICES.md', 'licences']));
  });
});

test('every package of production has a licence on the list of those allowed', () => {
  const choices = (licence: string) => licence.replace(/[()]/g, '').split(' OR ');
  expect(
    packages.filter(({ licence }) => !choices(licence).some((choice) => ALLOWED.has(choice))).map(title),
  ).toEqual([]);
});

test('npm run sbom prints CycloneDX of our version: every package of production, and no other', () => {
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(status).toBe(0);
  const { bomFormat, metadata, components } = JSON.parse(stdout) as {
    bomFormat: string;
    metadata: { component: { 'bom-ref': string; version: string; type: string } };
    components: readonly { name: string; version: string }[];
  };
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component).toMatchObject({
    'bom-ref': `ledgerlens@${version}`,
    name: 'ledgerlens',
    version,
    type: 'application',
  });
  const named = components.map(title);
  expect([...new Set(named)].toSorted()).toEqual(packages.map(title).toSorted());
});
