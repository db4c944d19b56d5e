import { afterEach, expect, test } from 'vitest';
import { ITEM } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { FieldWalk } from '../../src/mirror/protobuf/wire.ts';
import { blockMessage, headerMessage } from '../kit/mirror/ingest/block-bytes.ts';
import { startBlockNode, type TestBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { writtenMessage } from '../kit/mirror/ingest/block-proof/written-message.ts';
import { SignedBlocks } from '../kit/mirror/ingest/signed-blocks.ts';
import { runCommandBeside, until } from '../support/serve-process.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { besideInnocents } from './report.ts';

/*
 * A node that sends a changed block in place of a true one. The ledger id is pinned and every block is proven by
 * signatures, so the true block has to come in, whatever the proof of the changed one looks like.
 */

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const GENERATION_3_BYTES = 13_712;
const WRAPS_BYTES = 3_432;

const direct = (number: bigint, signature: Uint8Array) =>
  writtenMessage([1, number], [2, writtenMessage([1, signature])]);
/** As long as one likes, of the bytes of a true signature. */
const ofLength = (signature: Uint8Array, length: number) =>
  Uint8Array.from({ length }, (_, at) => signature[at % signature.length] ?? 0);

type Forge = (number: bigint, signature: Uint8Array) => Uint8Array;
/** What no release makes, nor did: it refuses the block at once. */
const REFUSED: readonly (readonly [string, Forge])[] = [
  ['the signature of another block', direct],
  ...[-1, 1].map(
    (more) =>
      [
        `a signature longer by ${more}`,
        (number: bigint, signature: Uint8Array) =>
          direct(number, ofLength(signature, signature.length + more)),
      ] as const,
  ),
  ...[0, 48, 777].map(
    (length) =>
      [
        `a signature of ${length} bytes`,
        (number: bigint, signature: Uint8Array) => direct(number, ofLength(signature, length)),
      ] as const,
  ),
  ['no proof in its proof', (number) => writtenMessage([1, number])],
  ['a proof without a byte', () => new Uint8Array()],
  ['a signed proof without a signature', (number) => writtenMessage([1, number], [2, new Uint8Array()])],
  [
    'a state proof without a path',
    (number, signature) =>
      writtenMessage([1, number], [3, writtenMessage([2, writtenMessage([1, signature])])]),
  ],
  ['the proof of a record file', (number, signature) => writtenMessage([1, number], [4, signature])],
  [
    'a signature under an unknown number',
    (number, signature) =>
      writtenMessage([1, number], [9, writtenMessage([1, ofLength(signature, signature.length + 1)])]),
  ],
  ['the number of another block', (number, signature) => direct(number + 1n, signature)],
];
/** What a later release might make: it is taken only where no node has anything better. */
const NEWER: readonly (readonly [string, Forge])[] = [
  [
    'a signature as long as those of generation 3',
    (number, signature) => direct(number, ofLength(signature, GENERATION_3_BYTES)),
  ],
  [
    'a WRAPS proof by an unknown key',
    (number, signature) => direct(number, ofLength(signature, WRAPS_BYTES).fill(7, 100, 200)),
  ],
  ['a kind of proof that is not known', (number) => writtenMessage([1, number], [7, Uint8Array.of(1, 2, 3)])],
];

/** The block a nanosecond later, with another proof. */
function changed(block: Uint8Array, number: bigint, proof: Uint8Array): Uint8Array {
  const items: (readonly [number, Uint8Array])[] = [];
  for (const walk = new FieldWalk(block); walk.next(); ) {
    const item = new FieldWalk(walk.bytes);
    item.next();
    items.push([item.number, item.bytes]);
  }
  const own = new Map<number, Uint8Array>([
    [ITEM.header, headerMessage(number, START + number * SECOND + 1n)],
    [ITEM.proof, proof],
  ]);
  return blockMessage(items.map(([field, bytes]) => [field, own.get(field) ?? bytes] as const));
}

let server: AttackedServer | null = null;
const nodes: TestBlockNode[] = [];
afterEach(async () => {
  await server?.remove();
  server = null;
  for (const node of nodes.splice(0)) await node.close();
});

async function following(count: number, signed: SignedBlocks, blocks: readonly Uint8Array[]) {
  for (let at = 0; at < count; at++) nodes.push(await startBlockNode());
  for (const node of nodes) for (const [at, bytes] of blocks.entries()) node.push(BigInt(at), bytes);
  return {
    start: async () => {
      server = await startAttacked({
        env: {
          MIRROR_IMPORT: '',
          MIRROR_BLOCK_NODES: nodes.map(({ address }) => address.name).join(','),
          MIRROR_LEDGER_ID: signed.ledgerId,
          STATUS_PROBES_OFF: 'all',
        },
      });
      return server;
    },
  };
}

const get = async (path: string) => (await fetch(`${server?.url}${path}`)).text();
/** Seconds of the begin of each block since that of the first, from the first. */
async function begins(): Promise<readonly string[]> {
  const { blocks } = JSON.parse(await get('/api/v1/blocks?order=asc&limit=100')) as {
    blocks: { timestamp: { from: string } }[];
  };
  return blocks.map(({ timestamp }) => timestamp.from);
}
const trueBegins = (count: number) =>
  Array.from({ length: count }, (_, at) => `${START / SECOND + BigInt(at)}.000000000`);
async function reported() {
  const { ingest } = JSON.parse(await get('/health/readiness')) as {
    ingest: { notes?: string[]; verification: string }[];
  };
  const [, uncheckable = '0'] =
    /^ledgerlens_ingest_uncheckable_units\{[^}]*\} (\d+)$/m.exec(await get('/metrics')) ?? [];
  return {
    notes: (ingest[0]?.notes ?? []).join('; '),
    verification: ingest[0]?.verification,
    uncheckable: Number(uncheckable),
    isLogged: server?.log().includes('cannot be checked although the ledger id is pinned'),
  };
}

const signatureOf = (signed: SignedBlocks) =>
  signed.network.signature({ root: new Uint8Array(48).fill(5), seats: [0, 1, 3] });

test('a node that changes a block is left for one that does not, whatever it calls a proof', {
  timeout: 180_000,
}, async () => {
  const signed = new SignedBlocks(START);
  const forges = [...REFUSED, ...NEWER];
  const blocks = Array.from({ length: forges.length + 3 }, () => signed.next());
  // Each changes a block of its own, and is tried before those that are honest then.
  const { start } = await following(forges.length + 1, signed, blocks);
  for (const [at, [, forge]] of forges.entries()) {
    // One that is only left for others is tried again for the next blocks.
    const last = at < REFUSED.length ? at + 1 : forges.length;
    for (let each = at + 1; each <= last; each++) {
      const number = BigInt(each);
      const proof = forge(number, signatureOf(signed));
      nodes[at]?.push(number, changed(blocks[each] ?? new Uint8Array(), number, proof));
    }
  }
  await besideInnocents('changed blocks of many nodes', await start(), () =>
    until('the last block is there', async () => (await begins()).length === blocks.length, 150_000),
  );
  expect(await begins()).toEqual(trueBegins(blocks.length));
  const { notes, ...rest } = await reported();
  expect(rest).toEqual({ verification: 'signatures', uncheckable: 0, isLogged: false });
  for (const [at, [what]] of REFUSED.entries()) {
    expect(notes, what).toContain(`${nodes[at]?.address.name} sent block ${at + 1}, which was rejected`);
  }
  for (const [at, [what]] of NEWER.entries()) {
    const { name } = nodes[REFUSED.length + at]?.address ?? {};
    expect(nodes[REFUSED.length + at]?.subscriptions.length, what).toBeGreaterThan(0);
    expect(notes, what).not.toContain(`${name} sent`);
  }
  const { output } = await runCommandBeside(
    ['ledger', 'units'],
    { DATABASE_URL: `sqlite:${server?.database}` },
    server?.folder ?? '',
  );
  expect(output).toMatch(/signatures: generation 2/);
  expect(output).not.toMatch(/\b(chain|none)\b: /);
  console.log(`${forges.length} changed blocks of ${forges.length} nodes: none taken`);
});

test('a lone node that changes a block is tried again until it sends the true one', {
  timeout: 120_000,
}, async () => {
  const signed = new SignedBlocks(START);
  const blocks = Array.from({ length: 4 }, () => signed.next());
  const { start } = await following(1, signed, blocks);
  const [node] = nodes;
  node?.push(2n, changed(blocks[2] ?? new Uint8Array(), 2n, direct(2n, ofLength(signatureOf(signed), 777))));
  await besideInnocents('changed blocks of a lone node', await start(), () =>
    until('it is refused', async () => (await reported()).notes.includes('sent block 2, which was rejected')),
  );
  expect(await begins()).toEqual(trueBegins(2));
  expect(await reported()).toMatchObject({ uncheckable: 0, isLogged: false, verification: 'signatures' });
  node?.push(2n, blocks[2] ?? new Uint8Array());
  await until('the true one is there', async () => (await begins()).length === 4, 60_000);
  expect(await begins()).toEqual(trueBegins(4));
});

test('what a later release may sign is taken where no node has anything else, with an alarm', {
  timeout: 120_000,
}, async () => {
  const signed = new SignedBlocks(START);
  const blocks = Array.from({ length: 3 }, () => signed.next());
  const { start } = await following(2, signed, blocks);
  const newer = changed(
    blocks[2] ?? new Uint8Array(),
    2n,
    direct(2n, new Uint8Array(GENERATION_3_BYTES).fill(7)),
  );
  for (const node of nodes) node.push(2n, newer);
  await besideInnocents('blocks that look newer', await start(), () =>
    until('it is taken', async () => (await begins()).length === 3, 90_000),
  );
  expect(await reported()).toMatchObject({
    notes: expect.stringContaining('cannot be checked although the ledger id is pinned'),
    uncheckable: 1,
    isLogged: true,
    verification: 'chain',
  });
  expect(nodes.every(({ subscriptions }) => subscriptions.length > 0)).toBe(true);
});
