import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  aBlock,
  endMessage,
  itemsMessage,
  type NodeFaults,
  startBlockNode,
  type TestBlockNode,
} from '../../../../../test/kit/mirror/ingest/block-node.ts';
import { FollowedBlocks, unitsOf } from '../../../../../test/kit/mirror/ingest/followed-blocks.ts';
import { scaledTime } from '../../../../../test/kit/mirror/ingest/scaled-time.ts';
import { sharedPath } from '../../../../../test/shared-data.ts';
import { freshSeed, numbersFrom } from '../../../../../test/support/seed.ts';
import { testShared } from '../../../../../test/support/shared-suites.ts';
import { consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { createBlockNodeSource } from './block-node-source.ts';

/** Waits of many seconds take parts of one. */
const FASTER = 40;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface FollowingParts {
  readonly count?: number;
  /** Default; otherwise the ledger runs when the test says so. */
  readonly begins?: boolean;
  readonly isUncheckable?: (isTrue: boolean) => boolean;
  readonly time?: ReturnType<typeof scaledTime>;
}

/** Nodes that share a network, and a ledger that follows them. */
async function following(
  faults: readonly NodeFaults[],
  { begins = true, count = 12, isUncheckable = () => false, time = scaledTime(FASTER) }: FollowingParts = {},
) {
  const network = new Map<bigint, Uint8Array>();
  const nodes: TestBlockNode[] = [];
  for (const each of faults) {
    const node = await startBlockNode(each);
    closing.push(() => node.close());
    nodes.push(node);
  }
  const push = (on: readonly TestBlockNode[] = nodes) => {
    const number = BigInt(network.size);
    network.set(number, aBlock(number));
    for (const node of on) node.push(number, aBlock(number));
  };
  for (let each = 0; each < count; each++) push();
  const source = createBlockNodeSource(
    {
      kind: 'block-nodes',
      name: 'block nodes',
      discovery: 'off',
      nodes: nodes.map(({ address }) => address),
    },
    { makeUnit: unitsOf(network, isUncheckable), time },
  );
  const ledger = new FollowedBlocks(source);
  if (begins) ledger.begin();
  closing.push(() => ledger.close());
  const inOrder = () => Array.from({ length: network.size }, (_, at) => BigInt(at));
  return { inOrder, ledger, network, nodes, push, source, time };
}

const change = (
  at: bigint,
  make: (messages: readonly Uint8Array[]) => readonly Uint8Array[],
): NodeFaults => ({
  messages: (number, messages) => (number === at ? make(messages) : messages),
});
const damaged = (message: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(message);
  copy[copy.length - 3] = (copy[copy.length - 3] ?? 0) ^ 1;
  return copy;
};

/** What a node does wrong, for as long as it does. */
const FAULTS: readonly (readonly [string, NodeFaults])[] = [
  ['leaves a block out', change(5n, () => [])],
  ['sends a block twice', change(5n, (messages) => [...messages, ...messages])],
  ['leaves the first set of a block out', change(5n, (messages) => messages.slice(1))],
  [
    'sends the sets of a block in another order',
    change(5n, ([a, b, ...rest]) => [b ?? endMessage(0n), a ?? endMessage(0n), ...rest]),
  ],
  ['ends a block with another number', change(5n, (messages) => [...messages.slice(0, -1), endMessage(6n)])],
  ['leaves the end of a block out', change(5n, (messages) => messages.slice(0, -1))],
  ['damages an item', change(5n, ([first, ...rest]) => [damaged(first ?? endMessage(0n)), ...rest])],
  ['sends what is no message', change(5n, () => [Uint8Array.of(0xff, 0xff)])],
  ['falls silent within a block', { silentAfter: 11 }],
  ['falls silent between blocks', { silentAfter: 9 }],
  ['ends the stream with success', { successAfter: 5 }],
  ['answers that the blocks are not available', { subscribe: 6 }],
  ['answers an error', { subscribe: 3 }],
  ['does not implement the subscription', { subscribe: 'unimplemented' }],
  ['never answers the subscription', { subscribe: 'silent' }],
  ['never tells its status', { status: 'silent' }],
  ['claims blocks that it does not have', { status: { first: 0n, last: 2n ** 64n - 2n }, subscribe: 6 }],
  ['breaks every connection', { cutAtByte: () => 700 }],
  ['refuses connections', { isDown: true }],
  ['accepts connections and says nothing', { isHole: true }],
];

describe('a block node that', () => {
  test.each(FAULTS)('%s costs no block: the next node gives it', async (_name, faults) => {
    const { inOrder, ledger, push } = await following([faults, {}]);
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger.accepted).toEqual(inOrder());
  });

  test.each(FAULTS)('%s is used again when it is well, if there is no other', async (_name, faults) => {
    const { inOrder, ledger, nodes, push } = await following([{ ...faults }]);
    const [node] = nodes;
    await expect.poll(() => ledger.faults.length + ledger.accepted.length).toBeGreaterThan(0);
    for (const name of Object.keys(faults)) delete node?.faults[name as keyof NodeFaults];
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger.accepted).toEqual(inOrder());
  });
});

describe('a source of block nodes', () => {
  test('loses, doubles and exchanges nothing when connections break at any byte', async () => {
    const draw = numbersFrom(freshSeed());
    const { inOrder, ledger, push } = await following([{ cutAtByte: () => draw() * 6000 }], { count: 60 });
    await expect.poll(() => ledger.accepted.length).toBe(60);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(61);
    expect(ledger.accepted).toEqual(inOrder());
  });

  testShared.each([
    ['blocks-0.78', ['0.blk.gz', '1.blk.gz', '2.blk.gz']],
    ['blocks-wrapped-solo', ['0.blk.gz', '1.blk.gz', '2.blk.gz']],
  ])('gives the blocks of %s byte by byte', async (set, names) => {
    const files = names.map((name) => gunzipSync(readFileSync(sharedPath('data/streams', set, name))));
    const node = await startBlockNode({ setItems: 37 });
    closing.push(() => node.close());
    const network = new Map(files.map((bytes, at) => [BigInt(at), Uint8Array.from(bytes)]));
    for (const [number, bytes] of network) node.push(number, bytes);
    const source = createBlockNodeSource(
      { kind: 'block-nodes', name: 'block nodes', discovery: 'off', nodes: [node.address] },
      { makeUnit: unitsOf(network), time: scaledTime(1) },
    );
    const ledger = new FollowedBlocks(source).begin();
    closing.push(() => ledger.close());
    await expect.poll(() => ledger.accepted).toEqual([0n, 1n, 2n]);
    expect(ledger.faults).toEqual([]);
  });

  test('finds the first block behind a time', async () => {
    const { source, nodes } = await following([{}], { count: 60, time: scaledTime(1) });
    expect(nodes).toHaveLength(1);
    // A made-up block begins at the second after its number.
    const after = { time: consensusTimestamp(41n * 1_000_000_000n), blockNumber: null, isNative: false };
    const { pages } = await source.list(after);
    const { value } = await pages[Symbol.asyncIterator]().next();
    expect(value).toMatchObject([{ name: `${'41'.padStart(19, '0')}.blk` }]);
  });

  test.each<[string, NodeFaults]>([
    ['nothing', { subscribe: 'silent' }],
    ['empty sets', { messages: () => Array.from({ length: 300_000 }, () => itemsMessage(new Uint8Array())) }],
  ])('gives up the search for a first block in ten seconds when a node sends %s', async (_what, faults) => {
    const { nodes, source, time } = await following([faults], { begins: false, time: scaledTime(10) });
    const from = time.clock.now();
    const after = { time: consensusTimestamp(5n * 1_000_000_000n), blockNumber: null, isNative: false };
    await expect(source.list(after)).rejects.toThrow(`${nodes[0]?.address.name} sent nothing of block 6`);
    expect(time.clock.now() - from).toBeLessThan(60_000);
    // Nothing more is read.
    await setTimeout(100);
    const sent = nodes[0]?.sent;
    await setTimeout(100);
    expect(nodes[0]?.sent).toBe(sent);
  });

  test('searches for a first block in the next node after one that sends nothing', async () => {
    const faults: readonly NodeFaults[] = [{ subscribe: 'silent' }, {}];
    const { nodes, source } = await following(faults, { begins: false, time: scaledTime(10) });
    const after = { time: consensusTimestamp(5n * 1_000_000_000n), blockNumber: null, isNative: false };
    await expect(source.list(after)).rejects.toThrow('sent nothing of block 6');
    await source.list(after);
    await expect.poll(() => nodes[1]?.subscriptions.at(-1)?.start).toBe(5n);
  });

  test.each([
    [-1n, null, 5n],
    [7n, null, 7n],
    // The time that a public network begins with by default, and the end of a ledger that has begun.
    [-1n, { time: consensusTimestamp(9n), blockNumber: null, isNative: false }, 5n],
    [-1n, { time: consensusTimestamp(9n), blockNumber: 6n, isNative: true }, 7n],
  ])('with the first block %s begins behind %o with block %s', async (firstBlock, after, first) => {
    const node = await startBlockNode();
    closing.push(() => node.close());
    const network = new Map([5n, 6n, 7n, 8n].map((number) => [number, aBlock(number)] as const));
    for (const [number, block] of network) node.push(number, block);
    const source = createBlockNodeSource(
      { kind: 'block-nodes', name: 'block nodes', discovery: 'off', nodes: [node.address], firstBlock },
      { makeUnit: unitsOf(network), time: scaledTime(1) },
    );
    closing.push(async () => source.close?.());
    const { pages } = await source.list(after);
    const { value } = await pages[Symbol.asyncIterator]().next();
    expect(value).toMatchObject([{ name: `${String(first).padStart(19, '0')}.blk` }]);
  });

  test('waits for a node that has no block yet where the first of the node is wanted', async () => {
    const node = await startBlockNode();
    closing.push(() => node.close());
    const network = new Map([[5n, aBlock(5n)]]);
    const source = createBlockNodeSource(
      { kind: 'block-nodes', name: 'block nodes', discovery: 'off', nodes: [node.address], firstBlock: -1n },
      { makeUnit: unitsOf(network), time: scaledTime(FASTER) },
    );
    const ledger = new FollowedBlocks(source).begin();
    closing.push(() => ledger.close());
    await expect.poll(() => ledger.faults).toContain('source_unreachable');
    node.push(5n, aBlock(5n));
    await expect.poll(() => ledger.accepted).toEqual([5n]);
  });

  test('catches up in a closed range, then stays subscribed with an open end', async () => {
    const { ledger, nodes, push, source } = await following([{}], { count: 40, time: scaledTime(1) });
    await expect.poll(() => ledger.accepted.length).toBe(40);
    for (let each = 0; each < 3; each++) {
      push();
      await expect.poll(() => ledger.accepted.length).toBe(41 + each);
    }
    expect(nodes[0]?.subscriptions).toEqual([
      { start: 0n, end: 39n },
      { start: 40n, end: 2n ** 64n - 1n },
    ]);
    expect(source.standing?.()).toEqual({
      node: nodes[0]?.address.name,
      newest: { blockNumber: 42n, time: null },
      notes: [],
    });
  });

  test('takes blocks of an older node, which sends no ends and tells no status', async () => {
    const { inOrder, ledger, push } = await following([{ sendsNoEnds: true, status: 'unimplemented' }]);
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger.accepted).toEqual(inOrder());
  });

  test('loses nothing to a lone node that sends every block twice', async () => {
    const twice: NodeFaults = { messages: (_, messages) => [...messages, ...messages] };
    const { inOrder, ledger, nodes, push } = await following([twice], { count: 40, time: scaledTime(1) });
    await expect.poll(() => ledger.accepted.length).toBe(40);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(41);
    expect(ledger).toMatchObject({ accepted: inOrder(), faults: [] });
    expect(nodes[0]?.subscriptions).toHaveLength(2);
  });

  const boasts: NodeFaults = { status: { first: 0n, last: 10n ** 12n } };
  test.each([
    ['last', [{}, {}, boasts]],
    ['first', [boasts, {}, {}]],
    ['first, and then serves nothing', [{ ...boasts, subscribe: 6 }, {}]],
  ])('believes the most of its nodes where one boasts, which is asked %s', async (_when, faults) => {
    const { ledger, push, source } = await following(faults, { time: scaledTime(1) });
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(source.standing?.().newest).toEqual({ blockNumber: 12n, time: null });
  });

  test('goes on in one listing, and is behind, while another node lags far', async () => {
    const slow: NodeFaults = { slow: () => setTimeout(5) };
    const { inOrder, ledger, source } = await following([slow, { status: { first: 0n, last: 4n } }], {
      begins: false,
      count: 30,
      time: scaledTime(1),
    });
    const run = ledger.run();
    await expect.poll(() => ledger.accepted.length).toBeGreaterThan(0);
    expect(source.standing?.().newest).toEqual({ blockNumber: 29n, time: null });
    await run;
    expect(ledger.accepted).toEqual(inOrder());
  });

  test('knows how far the network is when its only node breaks off', async () => {
    const { ledger, nodes, source } = await following([{ status: { first: 0n, last: 1_000_000n } }], {
      time: scaledTime(1),
    });
    const [node] = nodes;
    await expect.poll(() => ledger.accepted.length).toBe(12);
    if (node !== undefined) node.faults.isDown = true;
    node?.breakOff();
    await expect.poll(() => ledger.faults).toContain('source_unreachable');
    expect(source.standing?.().newest).toEqual({ blockNumber: 1_000_000n, time: null });
  });

  test('is behind what has come from a node that does not tell what it has', async () => {
    const { source } = await following([{ status: 'unimplemented' }], { begins: false, time: scaledTime(1) });
    const { pages } = await source.list(null);
    await pages[Symbol.asyncIterator]().next();
    await expect.poll(() => source.standing?.().newest).toEqual({ blockNumber: 11n, time: null });
  });

  test('knows of no block after the first one was refused', async () => {
    const first = change(0n, ([set, ...rest]) => [damaged(set ?? endMessage(0n)), ...rest]);
    const { ledger, source } = await following([{ ...first, status: 'unimplemented' }], {
      time: scaledTime(1),
    });
    await expect.poll(() => ledger.faults).toContain('bad_block_proof');
    expect(source.standing?.().newest).toBeNull();
  });

  test('says that the ledger has passed its nodes only where it has passed each of them', async () => {
    const lags: NodeFaults = { status: { first: 0n, last: 4n } };
    const { ledger, nodes, source } = await following([{}, lags, lags], { time: scaledTime(1) });
    const [first] = nodes;
    await expect.poll(() => ledger.accepted.length).toBe(12);
    if (first !== undefined) first.faults.isDown = true;
    first?.breakOff();
    const notes = () => source.standing?.().notes.join();
    await expect.poll(notes).toContain(`${first?.address.name} cannot be reached`);
    expect(notes()).not.toContain('which this ledger has passed');
    if (first !== undefined) Object.assign(first.faults, { ...lags, isDown: false });
    await expect.poll(notes).toContain('have blocks up to 4, which this ledger has passed');
  });

  test('is taken in once in a minute by a node that boasts and sends nothing', async () => {
    const { inOrder, ledger, nodes, push, source, time } = await following(
      [{}, { ...boasts, subscribe: 'silent' }],
      { time: scaledTime(20) },
    );
    const [honest, liar] = nodes;
    await expect.poll(() => ledger.accepted.length).toBe(12);
    await expect.poll(() => source.standing?.().notes.join()).toContain(`${liar?.address.name} sent nothing`);
    await expect.poll(() => source.standing?.().node).toBe(honest?.address.name);
    await time.pause(60_000, new AbortController().signal);
    expect(source.standing?.().node).toBe(honest?.address.name);
    expect(liar?.subscriptions).toHaveLength(1);
    push();
    await expect.poll(() => ledger.accepted).toEqual(inOrder());
  });

  test('waits for the first block of a network, and knows then that it has it', async () => {
    const { ledger, push, source } = await following([{}, {}], { count: 0 });
    push();
    await expect.poll(() => ledger.accepted).toEqual([0n]);
    expect(source.standing?.().newest).toEqual({ blockNumber: 0n, time: null });
  });

  test.each([
    ['was asked for the first one while it had none', 0],
    ['never had the first one', 3],
  ])('goes on behind blocks that another source brought when its node %s', async (_when, had) => {
    const node = await startBlockNode();
    closing.push(() => node.close());
    const network = new Map(Array.from({ length: 8 }, (_, at) => [BigInt(at), aBlock(BigInt(at))] as const));
    const push = (from: number, to: number) => {
      for (const [number, block] of [...network].slice(from, to)) node.push(number, block);
    };
    push(5, 5 + had);
    const source = createBlockNodeSource(
      { kind: 'block-nodes', name: 'block nodes', discovery: 'off', nodes: [node.address] },
      { makeUnit: unitsOf(network), time: scaledTime(FASTER) },
    );
    const ledger = new FollowedBlocks(source);
    closing.push(() => ledger.close());
    await ledger.run();
    ledger.accepted.push(0n, 1n, 2n, 3n, 4n, 5n);
    ledger.begin();
    push(5, 8);
    await expect.poll(() => ledger.accepted).toEqual([...network.keys()]);
  });

  test('changes the node when a connection breaks, also live', async () => {
    const { inOrder, ledger, nodes, push } = await following([{}, {}]);
    const [first, second] = nodes;
    await expect.poll(() => ledger.accepted.length).toBe(12);
    if (first !== undefined) first.faults.isDown = true;
    first?.breakOff();
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(second?.subscriptions).not.toEqual([]);
    expect(ledger.accepted).toEqual(inOrder());
  });

  test('leaves a node that sends nothing while another one has more', async () => {
    const { inOrder, ledger, nodes, push, source } = await following([{}, {}]);
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push(nodes.slice(1));
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger.accepted).toEqual(inOrder());
    await expect.poll(() => source.standing?.().node).toBe(nodes[1]?.address.name);
  });

  test('returns to the node that is preferred when it is well again', async () => {
    const { ledger, nodes, push, source, time } = await following([{ isDown: true }, {}], {
      time: scaledTime(1),
    });
    await expect.poll(() => ledger.accepted.length).toBe(12);
    const [first] = nodes;
    delete first?.faults.isDown;
    time.advance(600_000);
    const grow = setInterval(() => push(), 20);
    closing.push(async () => clearInterval(grow));
    await expect.poll(() => source.standing?.().node).toBe(first?.address.name);
  });

  test('says which nodes cannot be reached', async () => {
    const { ledger, nodes, source } = await following([{ isDown: true }, { subscribe: 6 }]);
    await expect.poll(() => ledger.faults).toContain('source_refused');
    const [first, second] = nodes.map(({ address }) => address.name);
    expect(source.standing?.().notes).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`block node ${first} cannot be reached: `),
        expect.stringMatching(`block node ${second} answered that the requested blocks are not available`),
      ]),
    );
  });

  test('says that the blocks of the past are gone', async () => {
    const { ledger, nodes, source } = await following([{ status: { first: 5n, last: 11n } }]);
    await expect.poll(() => ledger.faults).toContain('source_refused');
    await expect(
      source.list(null).then(async ({ pages }) => pages[Symbol.asyncIterator]().next()),
    ).rejects.toThrow(`No block node serves block 0: ${nodes[0]?.address.name} has only blocks 5 to 11`);
  });

  test('takes a proof that it cannot check only when no other node has one that it can', async () => {
    const forges = change(5n, ([first, ...rest]) => [damaged(first ?? endMessage(0n)), ...rest]);
    const { inOrder, ledger, push } = await following([forges, forges, {}], {
      isUncheckable: (isTrue) => !isTrue,
      time: scaledTime(1),
    });
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger).toMatchObject({ accepted: inOrder(), forged: [] });
    expect(ledger.faults).toEqual(['unsupported_proof', 'unsupported_proof']);
  });

  test('asks for each block of a network that was upgraded once, after all nodes gave the first one', async () => {
    const { inOrder, ledger, nodes, push } = await following([{}, {}, {}], {
      isUncheckable: () => true,
      time: scaledTime(1),
    });
    await expect.poll(() => ledger.accepted.length).toBe(12);
    push();
    await expect.poll(() => ledger.accepted.length).toBe(13);
    expect(ledger).toMatchObject({ accepted: inOrder(), faults: ['unsupported_proof', 'unsupported_proof'] });
    expect(nodes.map(({ subscriptions }) => subscriptions.length)).toEqual([1, 1, expect.any(Number)]);
  });

  test('takes what it cannot check after ten seconds in which the other nodes had nothing', async () => {
    const { inOrder, ledger, time } = await following([{}, { isDown: true }], {
      isUncheckable: () => true,
      time: scaledTime(10),
    });
    const from = time.clock.now();
    await expect.poll(() => ledger.accepted).toEqual(inOrder());
    expect(time.clock.now() - from).toBeGreaterThan(9_000);
    expect(ledger.faults).toContain('unsupported_proof');
  });

  test('takes what it cannot check after a minute in which another node promised the block and gave none', async () => {
    const { inOrder, ledger, nodes, time } = await following([{}, { subscribe: 6 }], {
      isUncheckable: () => true,
      time: scaledTime(1),
    });
    await expect.poll(() => ledger.faults).toContain('unsupported_proof');
    await time.pause(2_000, new AbortController().signal);
    expect(ledger.accepted).toEqual([]);
    // The first time, then once a second.
    expect(nodes[0]?.subscriptions.length).toBeLessThan(5);
    time.advance(60_000);
    await expect.poll(() => ledger.accepted).toEqual(inOrder());
  });

  test('reads no further than its buffer holds', async () => {
    const network = new Map<bigint, Uint8Array>();
    const node = await startBlockNode({ setItems: 1000 });
    closing.push(() => node.close());
    const large = { items: 60, itemBytes: 100_000 };
    for (let number = 0n; number < 40n; number++) {
      network.set(number, aBlock(number, large));
      node.push(number, aBlock(number, large));
    }
    const source = createBlockNodeSource(
      { kind: 'block-nodes', name: 'block nodes', discovery: 'off', nodes: [node.address] },
      { makeUnit: unitsOf(network), time: scaledTime(1) },
    );
    const ledger = new FollowedBlocks(source);
    closing.push(() => ledger.close());
    const { pages } = await source.list(null);
    const walk = pages[Symbol.asyncIterator]();
    await walk.next();
    // 64 MiB are eleven of these blocks, beyond what the connection itself holds.
    await expect.poll(() => node.sent).toBeGreaterThan(20);
    expect(node.sent).toBeLessThan(60);
    await walk.return?.();
    await ledger.run();
    expect(ledger.accepted).toHaveLength(40);
  });
});
