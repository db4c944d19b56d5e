import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { bloomOf } from '../../evm/bloom.ts';
import { trimmed } from '../../evm/bytes.ts';
import { EVENT } from '../../evm/log-topics.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './known-entities.ts';

const AT = 1_700_000_000_000_000_000n;
const TOKEN = 55n;
const token = { tokenNum: TOKEN };
const account = (accountNum: bigint) => ({ accountNum });
const contractID = { contractNum: 2004n };
/** Of account 9, by the ledger. */
const ADDRESS = new Uint8Array(20).fill(0xa9);
const lookup: LedgerLookup = {
  ...emptyLookup,
  entityByAlias: async (alias) => (bareHex(alias) === bareHex(ADDRESS) ? entityId(9n) : null),
  evmAddresses: async (entities) =>
    new Map(entities.filter((each) => each === 9n).map((each) => [each, ADDRESS])),
};

function unitOf(...events: readonly Partial<LedgerEvent>[]) {
  const items = events.map((event, index) => {
    const consensus = consensusTimestamp(AT + BigInt(index));
    const validStart = consensusTimestamp(AT - 9n);
    const plain = {
      consensus,
      validStart,
      payer: 1001n,
      data: {},
      status: RESULT.SUCCESS,
      fee: 10n,
      node: 3n,
    };
    return ledgerItem({ ...plain, ...event }, { shard: 0n, realm: 0n });
  });
  return decodeUnit(items, 'a.rcd', lookup);
}

const logsOf = async (...events: readonly Partial<LedgerEvent>[]) => (await unitOf(...events)).contractLogs;

/** What a log says, in words. */
async function said(...events: readonly Partial<LedgerEvent>[]): Promise<readonly string[]> {
  const names = new Map(Object.entries(EVENT).map(([name, topic]) => [bareHex(topic), name]));
  return (await logsOf(...events)).map(
    ({ consensusTimestamp: at, contract, data, index, isSynthetic, topics }) => {
      const [event, ...rest] = topics.map((topic) => bareHex(trimmed(topic ?? new Uint8Array())));
      const words = rest.map((digits) =>
        digits === '' ? 'nobody' : digits.length <= 16 ? BigInt(`0x${digits}`) : digits,
      );
      return `${at - AT}/${index} ${isSynthetic ? '' : 'real '}${contract} ${names.get(event ?? '')} ${words.join(' ')} : ${bareHex(data ?? new Uint8Array())}`;
    },
  );
}

const moves = (...transfers: readonly (readonly [bigint, bigint])[]) => ({
  tokenTransferLists: [
    { token, transfers: transfers.map(([num, amount]) => ({ accountID: account(num), amount })) },
  ],
});
const nft = (sender: bigint, receiver: bigint, serialNumber: bigint) => ({
  tokenTransferLists: [
    {
      token,
      nftTransfers: [
        { senderAccountID: account(sender), receiverAccountID: account(receiver), serialNumber },
      ],
    },
  ],
});
const FIVE = '0000000000000005';

describe('synthetic logs', () => {
  test('a transfer of a fungible token names who gave and who got; addresses that are known stand for numbers', async () => {
    const transfer = { data: { cryptoTransfer: {} }, record: moves([7n, -5n], [9n, 5n]) };
    expect(await said(transfer)).toEqual([`0/0 55 transfer 7 ${'a9'.repeat(20)} : ${FIVE}`]);
    const { contractLogs, transactions } = await unitOf(transfer);
    expect(contractLogs).toMatchObject([
      {
        contract: TOKEN,
        rootContract: TOKEN,
        payer: 1001n,
        transactionIndex: 0,
        hash: new Uint8Array(transactions[0]?.hash?.slice(0, 32) ?? []),
        bloom: bloomOf(longZeroOf(TOKEN), [EVENT.transfer, Uint8Array.of(7), ADDRESS]),
        isSynthetic: true,
      },
    ]);
  });

  test('an account of the same unit has the address that it was created with', async () => {
    const created = new Uint8Array(20).fill(0xbb);
    expect(
      await said(
        {
          data: { cryptoCreateAccount: { alias: created } },
          receipt: { accountID: account(12n) },
          record: { evmAddress: created },
        },
        { data: { cryptoTransfer: {} }, record: moves([12n, -5n], [7n, 5n]) },
      ),
    ).toEqual([`1/0 55 transfer ${'bb'.repeat(20)} 7 : ${FIVE}`]);
  });

  test('of many entries there are several, which count on', async () => {
    const record = moves([7n, -5n], [8n, -2n], [10n, 6n], [11n, 1n]);
    expect(await said({ data: { cryptoTransfer: {} }, record })).toEqual([
      `0/0 55 transfer 7 10 : ${FIVE}`,
      '0/1 55 transfer 8 10 : 0000000000000001',
      '0/2 55 transfer 8 11 : 0000000000000001',
    ]);
  });

  test('what is created and minted comes from nobody, what is burned and wiped goes to nobody', async () => {
    expect(
      await said(
        { data: { tokenCreation: {} }, receipt: { tokenID: token }, record: moves([7n, 5n]) },
        { data: { tokenMint: { token } }, record: moves([7n, 5n]) },
        { data: { tokenBurn: { token } }, record: moves([7n, -5n]) },
        { data: { tokenWipe: { token } }, record: moves([7n, -5n]) },
      ),
    ).toEqual([
      `0/0 55 transfer nobody 7 : ${FIVE}`,
      `1/1 55 transfer nobody 7 : ${FIVE}`,
      `2/2 55 transfer 7 nobody : ${FIVE}`,
      `3/3 55 transfer 7 nobody : ${FIVE}`,
    ]);
  });

  test('NFTs have their serial number as a topic, a change of treasury −1', async () => {
    expect(
      await said(
        { data: { cryptoTransfer: {} }, record: nft(7n, 8n, 3n) },
        { data: { tokenMint: { token } }, record: nft(0n, 8n, 4n) },
        { data: { tokenBurn: { token } }, record: nft(8n, 0n, 4n) },
        { data: { tokenUpdate: { token } }, record: nft(7n, 8n, -1n) },
      ),
    ).toEqual([
      '0/0 55 transfer 7 8 3 : 00',
      '1/1 55 transfer nobody 8 4 : 00',
      '2/2 55 transfer 8 nobody 4 : 00',
      `3/3 55 transfer 7 8 ${2n ** 64n - 1n} : 00`,
    ]);
  });

  test('approvals are those of the body, of the payer where no owner is named', async () => {
    expect(
      await said(
        {
          data: {
            cryptoApproveAllowance: {
              cryptoAllowances: [{ owner: account(7n), spender: account(8n), amount: 5n }],
              tokenAllowances: [{ tokenId: token, owner: account(7n), spender: account(8n), amount: 5n }],
              nftAllowances: [
                { tokenId: token, spender: account(8n), serialNumbers: [1n, 2n] },
                { tokenId: token, owner: account(7n), spender: account(8n), approvedForAll: { value: true } },
                {
                  tokenId: token,
                  owner: account(7n),
                  spender: account(8n),
                  approvedForAll: { value: false },
                },
              ],
            },
          },
        },
        {
          data: {
            cryptoDeleteAllowance: {
              nftAllowances: [{ tokenId: token, owner: account(7n), serialNumbers: [1n] }],
            },
          },
        },
      ),
    ).toEqual([
      `0/0 55 approval 7 8 : ${FIVE}`,
      '0/1 55 approval 1001 8 1 : 00',
      '0/2 55 approval 1001 8 2 : 00',
      '0/3 55 approvalForAll 7 8 : 01',
      '0/4 55 approvalForAll 7 8 : 00',
      '1/5 55 approval 7 nobody 1 : 00',
    ]);
  });

  test('transactions that failed, or whose parent did, give none', async () => {
    const transfer = { data: { cryptoTransfer: {} }, record: moves([7n, -5n], [8n, 5n]) };
    expect(
      await said(
        { ...transfer, status: RESULT.FAIL_INVALID },
        { data: {}, status: RESULT.CONTRACT_REVERT_EXECUTED },
        { ...transfer, parent: consensusTimestamp(AT + 1n) },
      ),
    ).toEqual([]);
  });

  describe('with a contract result', () => {
    const parent = (logInfo: readonly LedgerEvent['data'][] = []): Partial<LedgerEvent> => ({
      data: { contractCall: { contractID } },
      receipt: { contractID },
      record: { contractCallResult: { contractID, gasUsed: 9n, logInfo } },
    });
    const child = (record: LedgerEvent['data'], more: Partial<LedgerEvent> = {}): Partial<LedgerEvent> => ({
      data: { cryptoTransfer: {} },
      parent: consensusTimestamp(AT),
      nonce: 1,
      record: { contractCallResult: { contractID: { contractNum: 359n } }, ...record },
      ...more,
    });
    const word = (last: Uint8Array) => Uint8Array.from([...new Uint8Array(32 - last.length), ...last]);
    const realTransfer = (from: Uint8Array, to: Uint8Array, amount: number) => ({
      contractID: { contractNum: TOKEN },
      topic: [EVENT.transfer, word(from), word(to)],
      data: word(Uint8Array.of(amount)),
    });

    test('a transfer that nobody logged is logged at the time of the call, behind the logs of that', async () => {
      const events = [
        parent([realTransfer(Uint8Array.of(7), Uint8Array.of(8), 4)]),
        child(moves([7n, -5n], [8n, 5n])),
        child(moves([8n, -5n], [7n, 5n])),
      ];
      expect(await said(...events)).toEqual([
        `0/0 real 55 transfer 7 8 : ${'00'.repeat(31)}04`,
        `0/1 55 transfer 7 8 : ${FIVE}`,
        `0/2 55 transfer 8 7 : ${FIVE}`,
      ]);
      const [called, late] = await logsOf(...events);
      expect(late).toMatchObject({ hash: called?.hash, transactionIndex: 0, payer: 1001n });
    });

    test('a transfer that the call or the child logged is not logged again; each log is that of one', async () => {
      const logged = realTransfer(Uint8Array.of(7), ADDRESS, 5);
      const ran = { contractCallResult: { contractID: { contractNum: 359n }, logInfo: [logged] } };
      const moved = moves([7n, -5n], [9n, 5n]);
      const real = `real 55 transfer 7 ${'a9'.repeat(20)} : ${'00'.repeat(31)}05`;
      expect(await said(parent([logged]), child(moved))).toEqual([`0/0 ${real}`]);
      expect(await said(parent(), child({ ...moved, ...ran }))).toEqual([`1/0 ${real}`]);
      expect(await said(parent([logged]), child(moved), child(moved))).toEqual([
        `0/0 ${real}`,
        `0/1 55 transfer 7 ${'a9'.repeat(20)} : ${FIVE}`,
      ]);
    });

    test('without a call above it the transfer has its own time', async () => {
      const alone = { ...child(moves([7n, -5n], [8n, 5n])), parent: consensusTimestamp(AT - 99n) };
      expect(await said(alone)).toEqual([`0/0 55 transfer 7 8 : ${FIVE}`]);
    });

    test('moves of NFTs and approvals give none', async () => {
      const approval = {
        cryptoApproveAllowance: { tokenAllowances: [{ tokenId: token, spender: account(8n), amount: 5n }] },
      };
      expect(await said(parent(), child(nft(7n, 8n, 3n)), child({}, { data: approval }))).toEqual([]);
    });
  });
});
