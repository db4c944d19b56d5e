import { describe, expect, test } from 'vitest';
import { enumNumbers, messages, messageType, toBigInt } from './messages.ts';

describe('messages', () => {
  test('64-bit members survive encoding and decoding exactly', () => {
    const bytes = messages.TransactionRecord.encode({
      transactionFee: 18_446_744_073_709_551_615n,
      transferList: {
        accountAmounts: [
          { accountID: { accountNum: 98n }, amount: -5_000_000_000_000_000_001n },
          { accountID: { accountNum: 2n }, amount: 5_000_000_000_000_000_001n },
        ],
      },
    });
    const record = messages.TransactionRecord.decode(bytes);
    expect(toBigInt(record.transactionFee)).toBe(18_446_744_073_709_551_615n);
    expect(record.transferList?.accountAmounts.map(({ amount }) => toBigInt(amount))).toEqual([
      -5_000_000_000_000_000_001n,
      5_000_000_000_000_000_001n,
    ]);
  });

  test('absent messages are null, absent oneof members too', () => {
    const body = messages.TransactionBody.decode(new Uint8Array());
    expect(body.transactionID).toBeNull();
    expect(body.cryptoTransfer).toBeNull();
    expect(body.data).toBeUndefined();
    expect(body.maxCustomFees).toEqual([]);
  });

  test.each([
    [1002, 'highVolume'],
    [1001, 'maxCustomFees'],
    [73, 'batchKey'],
    [74, 'atomicBatch'],
    [75, 'hookStore'],
    [78, 'registeredNodeCreate'],
  ])('field %d of TransactionBody is known as %s', (number, name) => {
    const wireType = number === 1002 ? 0 : 2;
    const tag = (number << 3) | wireType;
    const bytes = Uint8Array.from([(tag & 0x7f) | 0x80, tag >> 7, wireType === 0 ? 1 : 0]);
    expect(messages.TransactionBody.decodePlain(bytes)).toHaveProperty(name);
  });

  test('of a oneof the member that came last is set, the others are not', () => {
    const last = messages.TransactionRecord.decode(
      Uint8Array.from([
        ...messages.TransactionRecord.encode({ contractCallResult: { gasUsed: 5n } }),
        ...messages.TransactionRecord.encode({ contractCreateResult: { gasUsed: 6n } }),
      ]),
    );
    expect(last.contractCallResult).toBeNull();
    expect(toBigInt(last.contractCreateResult?.gasUsed ?? 0)).toBe(6n);
    const none = messageType<{ readonly account: unknown }>('proto.AccountID').decode(new Uint8Array());
    expect(none.account).toBeUndefined();
  });

  test('texts that are no valid UTF-8 do not make a message unreadable', () => {
    expect(() => messages.TransactionBody.decode(Uint8Array.from([0x32, 2, 0xff, 0xfe]))).not.toThrow();
  });

  test('other bytes are refused as malformed', () => {
    expect(() => messages.TransactionBody.decode(Uint8Array.from([0x0a, 0x7f]))).toThrowError(
      expect.objectContaining({ code: 'malformed' }),
    );
  });

  test('the fee schedule of file 113 is in the descriptor', () => {
    const schedule = {
      network: { multiplier: 9 },
      services: [{ name: 'Crypto', schedule: [{ name: 1, baseFee: 7n }] }],
    };
    const plain = messages.SimpleFeeSchedule.decodePlain(messages.SimpleFeeSchedule.encode(schedule));
    expect(plain).toMatchObject(schedule);
    expect(enumNumbers('org.hiero.hapi.fees.Extra')['PROCESSING_BYTES']).toBe(23);
  });

  test('an unknown message name is an error at once', () => {
    expect(() => messageType('proto.Nothing')).toThrow();
  });
});
