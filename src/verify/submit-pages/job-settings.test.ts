import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { base58, contentHash } from '../metadata/metadata-hash.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract A {
  uint256[] public list;
  function add(uint256 n) external returns (uint256 sum) { for (uint256 i; i < n; i++) { list.push(i); sum += i * 8; } }
}
`;
const inputOf = (settings: object, source = SOURCE) => ({
  language: 'Solidity',
  sources: { 'src/A.sol': { content: source } },
  settings,
});
const ORIGINAL = { optimizer: { enabled: true, runs: 4000 }, evmVersion: 'paris', remappings: ['@l/=lib/'] };
const MEMBERS = { compilerVersion: '0.8.30+commit.73712a01', contractIdentifier: 'src/A.sol:A' };
const ADDRESS = `0x${'1a'.repeat(20)}`;
const UNPUBLISHED = `0x${'2b'.repeat(20)}`;
const FORGED = `0x${'3c'.repeat(20)}`;

const published = new Map<string, string>();
const asked: string[] = [];
let served: ServedArea;
beforeAll(async () => {
  const { metadata, runtime: runtimeBytecode } = compileForTest(inputOf(ORIGINAL), 'src/A.sol', 'A');
  const other = compileForTest(inputOf({ ...ORIGINAL, remappings: [] }), 'src/A.sol', 'A');
  const forged = compileForTest(inputOf({ ...ORIGINAL, remappings: ['a/=b/'] }), 'src/A.sol', 'A');
  const cid = (text: string) => base58(Buffer.from(contentHash('ipfs', Buffer.from(text)), 'hex'));
  published.set(`http://gateway.test/ipfs/${cid(metadata)}`, metadata);
  published.set(`http://gateway.test/ipfs/${cid(forged.metadata)}`, metadata);
  served = await serveArea({
    chainsJson: JSON.stringify({
      5: {
        static: {
          [ADDRESS]: { runtimeBytecode },
          [UNPUBLISHED]: { runtimeBytecode: other.runtime },
          [FORGED]: { runtimeBytecode: forged.runtime },
        },
      },
    }),
    ipfsGateway: 'http://gateway.test/ipfs/',
    fetch: async (url) => {
      asked.push(String(url));
      const text = published.get(String(url));
      return text === undefined ? new Response('gone', { status: 404 }) : new Response(text);
    },
  });
});
afterAll(() => served.close());

async function pageOf(
  address: string,
  input: object,
): Promise<{ page: string; job: Record<string, unknown> }> {
  const { job } = await verifyToEnd(served.app, `5/${address}`, { ...MEMBERS, stdJsonInput: input });
  const url = `/verify-ui/jobs/${job.verificationId}`;
  const page = async () => (await served.app.inject({ url, headers: { accept: 'text/html' } })).body;
  // What was found is kept: who looks again asks nobody.
  await page();
  const before = asked.length;
  const again = await page();
  expect(asked).toHaveLength(before);
  return { page: again, job: job as never };
}

const rowOf = (page: string, name: string) =>
  new RegExp(`<th scope="row">${name}</th>(.*?)</tr>`, 's').exec(page)?.[1]?.replace(/<[^>]*>/g, '|') ?? null;

test('settings that differ from those of the metadata on chain are marked, others are shown', async () => {
  const { job, page } = await pageOf(ADDRESS, inputOf({ optimizer: { enabled: true, runs: 200 } }));
  expect(page).toContain('3 settings differ');
  expect(rowOf(page, 'Runs')).toMatch(/200.*4000.*\(differs\)/);
  expect(rowOf(page, 'EVM version')).toMatch(/prague.*paris.*\(differs\)/);
  expect(rowOf(page, 'Remappings')).toMatch(/–.*@l\/=lib\/.*\(differs\)/);
  expect(rowOf(page, 'Optimizer')).toMatch(/on.*on/);
  expect(rowOf(page, 'Optimizer')).not.toContain('differs');
  // The answer of the API has no member for it.
  expect(JSON.stringify(job)).not.toContain('EVM version');
});

test('when all settings agree, the sources are others', async () => {
  const { page } = await pageOf(ADDRESS, inputOf(ORIGINAL, SOURCE.replace('* 8', '* 9')));
  expect(page).toContain('All settings match: the sources differ.');
});

test.each([
  ['are not published', UNPUBLISHED],
  ['have another hash than the code names', FORGED],
])('metadata that %s are not compared with', async (_, address) => {
  const { page } = await pageOf(address, inputOf({ optimizer: { enabled: false }, evmVersion: 'london' }));
  expect(page).toContain('the IPFS gateway does not have them');
  expect(rowOf(page, 'EVM version')).toContain('london');
  expect(rowOf(page, 'Optimizer')).toContain('off');
  expect(page).not.toContain('differ</strong>');
});
