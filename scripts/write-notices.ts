// `npm run notices`: THIRD_PARTY_NOTICES.md from the lock file and the licences of the packages that are installed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ProductionPackage, productionPackages } from './production-packages.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PATH = `${ROOT}THIRD_PARTY_NOTICES.md`;
const LICENCE_FILE = /^(licen[sc]e|copying)/i;
const COPYRIGHT =
  /^\W*((?:copyright\b|©).*\d{4}.*|copyright \(c\) \S.*|copyright (?!notice|owner|holder|law|license)\w.* authors.*)$/i;

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
  const file = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort()[0];
  if (file === undefined) return `${start} as its manifest and repository say | none in the package |`;
  const lines = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
  const holders = lines.flatMap((line) => COPYRIGHT.exec(line.trim())?.[1] ?? []);
  const text = [...new Set(holders)].join('; ').replaceAll('|', '/').replaceAll('<', '&lt;');
  return `${start} ${text || 'named in the licence'} | ${file} |`;
}

const all = productionPackages();
const compilers = all
  .filter(({ name }) => name === 'solc')
  .map(({ version }) => `| ${version} | GPL-3.0 | <https://github.com/ethereum/solidity/tree/v${version}> |`);

const page = `# Notices of third parties

Printed by \`npm run notices\`. The server runs with the packages below; npm installs each beside it, with its own licence text in the file that the last column names. Development packages are not shipped.

## Solidity compilers

The npm package \`solc\` is a wrapper under the MIT licence around \`soljson.js\`, which is the Solidity compiler, **under the GPL-3.0**. The server runs it to compile. Whoever passes an image or an installation on passes these compilers on too, and the GPL asks that their source be offered with them.

| Compiler | Licence | Source |
|---|---|---|
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
