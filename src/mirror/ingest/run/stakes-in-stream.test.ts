import { describe, expect, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { makeNodeSigners } from '../../../../tools/network/node-signer.ts';
import { writeRecordFile, writeSignatureFile } from '../../../../tools/network/record-file-writer.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { writtenLedger } from '../../../../tools/network/written-ledger.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';

const SIGNERS = makeNodeSigners(4, seededRandom('stakes'), 1024);
const { book } = writtenLedger({ traces: false, nodes: 4, signers: SIGNERS });
const START = 1_700_000_000_000_000_001n;
const EVERYBODY = [0, 1, 2, 3];

/** A record file: who signed it, and the stakes that it tells, those of node 0 first; none: a transfer. */
interface File {
  readonly signed: readonly number[];
  readonly stakes?: readonly (readonly bigint[])[];
}

/** @returns how many files are taken, and what is said of the next one. */
async function importFiles(files: readonly File[]) {
  const tree = new Map<string, Uint8Array>([['/stream/address_book.bin', book]]);
  let previous: Uint8Array = ZERO_HASH;
  for (const [number, { signed, stakes = [] }] of files.entries()) {
    const first = consensusTimestamp(START + 2_000_000_000n * BigInt(number));
    const bodies =
      stakes.length === 0
        ? [{ cryptoTransfer: {} }]
        : stakes.map((each) => ({
            nodeStakeUpdate: { nodeStake: each.map((stake, nodeId) => ({ nodeId: BigInt(nodeId), stake })) },
          }));
    const items = bodies.map((data, index) => {
      const consensus = consensusTimestamp(first + BigInt(index));
      const event = { consensus, validStart: consensus, payer: 800n, data, status: 22, fee: 0n, node: null };
      return ledgerItem(event as never, { shard: 0n, realm: 0n });
    });
    const file = writeRecordFile(items, previous, BigInt(number), [0, 65, 0]);
    previous = file.endHash;
    for (const [node, signer] of SIGNERS.entries()) {
      const path = `/stream/record0.0.${signer.accountNum}/${streamInstant(first)}.rcd`;
      tree.set(path, file.bytes);
      if (signed.includes(node)) tree.set(`${path}_sig`, writeSignatureFile(file, signer));
    }
  }
  const { refused, units } = await memoryLedger().import(
    createDirectorySource('/stream', memoryFileTree(tree)),
  );
  return { units, said: refused[0]?.message.replace(/^.* with /, '') };
}

const ALL_TO_FIRST = [[10n, 1n, 1n, 1n]];

/** All files are there at once, so that later ones are prepared before earlier ones are stored. */
describe('a change of the stakes inside a stream', () => {
  test.each<[string, readonly File[], Awaited<ReturnType<typeof importFiles>>]>([
    [
      'counts from the next file on: those without stake do not reach a third any more',
      [{ signed: EVERYBODY }, { signed: EVERYBODY, stakes: ALL_TO_FIRST }, { signed: [1, 2, 3] }],
      { units: 2, said: '3/13 stake (5 needed)' },
    ],
    [
      'counts from the next file on: the one that has it reaches a third alone',
      [{ signed: EVERYBODY }, { signed: EVERYBODY, stakes: ALL_TO_FIRST }, { signed: [0] }, { signed: [0] }],
      { units: 4, said: undefined },
    ],
    [
      'does not count for its own file: a node cannot give itself the stake to prove it',
      [{ signed: EVERYBODY }, { signed: [0], stakes: ALL_TO_FIRST }, { signed: [0] }],
      { units: 1, said: '1/4 stake (2 needed)' },
    ],
    [
      'is the last one where a file tells several',
      [
        { signed: EVERYBODY },
        { signed: EVERYBODY, stakes: [...ALL_TO_FIRST, [1n, 10n, 1n, 1n]] },
        { signed: [0] },
      ],
      { units: 2, said: '1/13 stake (5 needed)' },
    ],
    [
      'may be followed by another one at once',
      [
        { signed: EVERYBODY, stakes: ALL_TO_FIRST },
        { signed: [0], stakes: [[1n, 10n, 1n, 1n]] },
        { signed: [1], stakes: ALL_TO_FIRST },
        { signed: [1] },
      ],
      { units: 3, said: '1/13 stake (5 needed)' },
    ],
    [
      'to less than nothing takes no weight from others',
      [{ signed: EVERYBODY, stakes: [[10n, -20n, 1n, 1n]] }, { signed: [1, 2] }],
      { units: 1, said: '1/12 stake (4 needed)' },
    ],
    [
      'to nothing at all lets each node count one',
      [{ signed: EVERYBODY, stakes: [[0n, 0n, 0n, 0n]] }, { signed: [1, 2] }, { signed: [1] }],
      { units: 2, said: '1/4 stake (2 needed)' },
    ],
  ])('%s', async (_, files, expected) => {
    expect(await importFiles(files)).toEqual(expected);
  });
});
