// `npm run notices`: THIRD_PARTY_NOTICES.md from the lock file and the licences of the packages that are installed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ProductionPackage, productionPackages } from './production-packages.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PATH = `${ROOT}THIRD_PARTY_NOTICES.md`;
const LICENCE_FILE = /^(licen[sc]e|copying)/i;
/** A year or a name follows; "copyright notice" and "COPYRIGHT HOLDERS" are words of the licence itself. */
const COPYRIGHT =
  /^\W*((?:[A-Z][\w ]{2,30} )?(?:[Cc]opyright\b|©).*\d{4}.*|(?:[A-Z][\w ]{2,30} )?[Cc]opyright (?:(?:\([Cc]\)|©) \S|(?!notice|owner|holder|law|licen|interest|statement)[A-Za-z]).*)$/;

const NAME = /copyright[^a-z]*(?!c\))[a-z]{2}|(?:\(c\)|©|\d{4}).*[a-z]{2}/i;

const before = existsSync(PATH) ? readFileSync(PATH, 'utf8') : '';

/** The row of a package; that of the file if the package is for another platform or Node, so not installed here. */
function row(each: ProductionPackage): string {
  const start = `| ${each.name} | ${each.version} | ${each.licence} |`;
  const folder = each.folders.map((path) => `${ROOT}${path}`).find(existsSync);
  if (folder === undefined) {
    const kept = before.split('\n').find((line) => line.startsWith(start));
    if (kept === undefined)
      throw new Error(`${each.name} ${each.version} is not installed: run this on a Node that installs it`);
    return kept;
  }
  const inside = each.comes === 'bundled' ? ', bundled' : '';
  const file = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort()[0];
  if (file === undefined)
    return `${start} as its manifest and repository say | none in the package${inside} |`;
  const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
  const holders = lines.flatMap((line) => COPYRIGHT.exec(line.trim())?.[1] ?? []);
  // Some licences name a year and nobody, or are the bare text.
  const isNamed = holders.some((holder) => NAME.test(holder));
  const text = [...new Set(isNamed ? holders : [...holders, authors(folder)])].join('; ');
  return `${start} ${text.replaceAll('|', '/').replaceAll('<', '&lt;')} | ${file}${inside} |`;
}

/** Whom the manifest of a package names. */
function authors(folder: string): string {
  const { author, maintainers = [] } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    author?: string | { name: string };
    maintainers?: readonly { name: string }[];
  };
  const names = author === undefined ? maintainers : [author];
  const text = names.map((each) => (typeof each === 'string' ? each : each.name)).join(', ');
  return text === '' ? 'its authors, named in its repository' : `${text} (by its manifest)`;
}

const all = await productionPackages();
const compilers = all
  .filter(({ name }) => name === 'solc')
  .map(
    ({ comes, version }) =>
      `| ${version} | ${comes} | GPL-3.0 | <https://github.com/ethereum/solidity/tree/v${version}> |`,
  );

const page = `# Notices of third parties

Printed by \`npm run notices\`. The server runs with the packages below; npm installs each beside it, with its own licence text in the file that the last column names. Of those marked "bundled", the parts that are used stand inside files of \`dist\`, and their licence texts in \`dist/bundled/licences.txt\`. Other development packages are not shipped.

## Solidity compilers

The npm package \`solc\` is a wrapper under the MIT licence around \`soljson.js\`, which is the Solidity compiler, **under the GPL-3.0**. The server runs it to compile. Whoever passes an image or an installation on passes these compilers on too, and the GPL asks that their source be offered with them. Its text is in [licences/GPL-3.0.txt](licences/GPL-3.0.txt). The compiler marked "installed" lies in its package; the others are brotli streams of the unchanged \`soljson.js\`, in \`dist/verify/compile/supply/packed\`.

| Compiler | Comes | Licence | Source |
|---|---|---|---|
${compilers.join('\n')}

Compilers that a server fetches later are not part of what is shipped.

## Parts inside files

\`@fastify/swagger-ui\` has the files of Swagger UI, Apache-2.0, copyright SmartBear Software. \`better-sqlite3\` has SQLite, which is in the public domain. The descriptor of ledger messages is made of the protobuf files in \`@hiero-ledger/sdk\`, Apache-2.0, copyright Hedera Hashgraph, LLC and the Hiero contributors.

## Packages

| Package | Version | Licence | Copyright | Licence text |
|---|---|---|---|---|
${all.map(row).join('\n')}
`;
writeFileSync(PATH, page);
