import * as Hash from 'ox/Hash';
import * as TxEnvelopeLegacy from 'ox/TxEnvelopeLegacy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { parseHex, toHex } from '../../../values/hex.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const START = 1_700_000_000_000_000_000n;
const FILE = { fileNum: 5005n };
const DATA = '0xaabbccdd';
const signature = { r: 1n, s: 2n, yParity: 0 };
const signed = (data: `0x${string}`) =>
  TxEnvelopeLegacy.serialize({ type: 'legacy', gas: 5n, gasPrice: 7n, value: 0n, data }, { signature });
/** By which the wallet that signed it finds it. */
const HASH = Hash.keccak256(signed(DATA));

const text = (contents: string) => ({ contents: Buffer.from(contents) });
const created: Partial<LedgerEvent> = { data: { fileCreate: text('0xaa') }, receipt: { fileID: FILE } };
const appended: Partial<LedgerEvent> = { data: { fileAppend: { ...text('bbccdd'), fileID: FILE } } };
const overwritten: Partial<LedgerEvent> = { data: { fileUpdate: { ...text('ff'), fileID: FILE } } };
const sent: Partial<LedgerEvent> = {
  data: { ethereumTransaction: { ethereumData: parseHex(signed('0x')), callData: FILE } },
  record: { contractCallResult: { contractID: { contractNum: 500n }, gasUsed: 7n } },
};

const itemsOf = (events: readonly Partial<LedgerEvent>[], first: bigint) =>
  events.map((event, index) => {
    const consensus = consensusTimestamp(first + BigInt(index));
    const common = {
      consensus,
      validStart: consensusTimestamp(first),
      payer: 1001n,
      data: {},
      fee: 0n,
      node: 3n,
    };
    return ledgerItem({ ...common, status: RESULT.SUCCESS, ...event }, { shard: 0n, realm: 0n });
  });
const hashIn = async (events: readonly Partial<LedgerEvent>[], lookup = emptyLookup) => {
  const { contractResults } = await decodeUnit(itemsOf(events, START), 'a.rcd', lookup);
  return toHex(contractResults[0]?.hash ?? new Uint8Array());
};

describe('the hash of a transaction with its call data in a file, whose record does not tell it', () => {
  test.each<[string, readonly Partial<LedgerEvent>[]]>([
    ['written in the same unit', [created, appended, sent]],
    ['written again after it', [created, appended, sent, overwritten]],
    ['where a write failed', [created, appended, { ...overwritten, status: RESULT.FAIL_INVALID }, sent]],
  ])('is over what the file had by then: %s', async (_when, events) => {
    expect(await hashIn(events)).toBe(HASH);
  });

  test('is over what the ledger had before the unit, and the unit adds', async () => {
    const knowing = (contents: string | null) => ({
      ...emptyLookup,
      fileContents: async () => (contents === null ? null : Buffer.from(contents)),
    });
    expect(await hashIn([sent], knowing('aabbccdd'))).toBe(HASH);
    expect(await hashIn([appended, sent], knowing('0xaa'))).toBe(HASH);
    // The first bytes of its own where the file is not known, or has no call data.
    const own = await hashIn([sent]);
    expect(own).not.toBe(HASH);
    for (const unknown of ['0xa', 'text']) expect(await hashIn([sent], knowing(unknown))).toBe(own);
    expect(await hashIn([appended, sent], knowing(null))).toHaveLength(HASH.length);
  });
});

describe('a ledger', () => {
  let mirror: MirrorApp;
  beforeAll(async () => {
    mirror = await buildMirrorApp({ dialect: 'hiero' });
  });
  afterAll(() => mirror.close());

  test('finds it by the hash that the wallet knows, also where the file was written in other units', async () => {
    let previousHash: Uint8Array = new Uint8Array(48);
    for (const [number, events] of [[created], [appended], [sent, overwritten]].entries()) {
      const items = itemsOf(events, START + BigInt(number) * 1_000_000_000n);
      const rows = await decodeUnit(items, `${number}.rcd`, mirror.store.lookup);
      const unit = fixtureUnit(`${number}`, rows);
      const header = {
        ...unit.header,
        kind: 'record',
        version: 6,
        blockNumber: BigInt(number),
        previousHash,
      } as const;
      await mirror.area.ledger.commitUnit({ ...unit, ...rows, header });
      previousHash = header.hash;
    }
    const answer = await mirror.app.inject(`/api/v1/contracts/results/${HASH}`);
    expect(answer.json()).toMatchObject({ hash: HASH, function_parameters: DATA });
  });
});
