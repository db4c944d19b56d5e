import * as Rlp from 'ox/Rlp';
import * as TxEnvelopeEip1559 from 'ox/TxEnvelopeEip1559';
import * as TxEnvelopeEip2930 from 'ox/TxEnvelopeEip2930';
import * as TxEnvelopeEip7702 from 'ox/TxEnvelopeEip7702';
import * as TxEnvelopeLegacy from 'ox/TxEnvelopeLegacy';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { bareHex, type Hex, parseHex, toHex } from '../../values/hex.ts';
import { padded } from './bytes.ts';
import { gasLimitOfEthereum } from './ethereum-form.ts';
import { decodeEthereumTransaction, type EthereumTransaction } from './ethereum-transaction.ts';
import { unsignedBytes } from './quantities.ts';

const bytes = (hex: string) => parseHex(hex) ?? expect.fail(`${hex} is no hex`);
/** As RLP has numbers: none for 0. */
const trimmed = (value: bigint) => (value === 0n ? new Uint8Array() : unsignedBytes(value));
const signed = (value: bigint) => bytes(bareHex(unsignedBytes(value)).replace(/^(?=[89a-f])/, '00'));

const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value): Hex => toHex(value));
const below = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const address = hexOf(20);
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hexOf(32), { maxLength: 3 }) }), {
  maxLength: 4,
});
const listed = (list: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]) =>
  list.map((each) => ({ address: bytes(each.address), storageKeys: each.storageKeys.map(bytes) }));
const signature = fc.record({ r: below(256), s: below(256), yParity: fc.nat(1) });
const call = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: below(53),
  gas: below(63),
  to: fc.option(address, { nil: undefined }),
  value: below(256),
  data: fc.uint8Array({ maxLength: 300 }).map(toHex),
});
const authorization = fc.record({
  chainId: fc.nat(),
  address,
  nonce: below(53),
  r: below(256),
  s: below(256),
  yParity: fc.nat(1),
});
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;
type Signature = typeof signature extends fc.Arbitrary<infer Value> ? Value : never;

const expectedOf = (type: 0 | 1 | 2 | 4, sent: Call, { r, s, yParity }: Signature): EthereumTransaction => ({
  type,
  nonce: sent.nonce,
  gasLimit: sent.gas,
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: signed(sent.value),
  chainId: unsignedBytes(BigInt(sent.chainId)),
  toAddress: bytes(sent.to ?? '0x'),
  callData: bytes(sent.data),
  accessList: [],
  authorizationList: [],
  recoveryId: yParity,
  signatureV: null,
  signatureR: trimmed(r),
  signatureS: trimmed(s),
});

const legacy = fc
  .record({ sent: call, hasChain: fc.boolean(), gasPrice: below(200), by: signature })
  .map(({ by, gasPrice, hasChain, sent }) => {
    const { chainId, ...free } = sent;
    const v = hasChain ? 2n * BigInt(chainId) + 35n + BigInt(by.yParity) : 27n + BigInt(by.yParity);
    return {
      encoded: TxEnvelopeLegacy.serialize({ ...(hasChain ? sent : free), gasPrice }, { signature: by }),
      expected: {
        ...expectedOf(0, sent, by),
        gasPrice: trimmed(gasPrice),
        chainId: hasChain ? unsignedBytes(BigInt(chainId)) : null,
        signatureV: unsignedBytes(v),
      },
    };
  });
const eip2930 = fc
  .record({ sent: call, gasPrice: below(200), list: accessList, by: signature })
  .map(({ by, gasPrice, list, sent }) => ({
    encoded: TxEnvelopeEip2930.serialize({ ...sent, gasPrice, accessList: list }, { signature: by }),
    expected: { ...expectedOf(1, sent, by), gasPrice: trimmed(gasPrice), accessList: listed(list) },
  }));
const prices = fc.tuple(below(200), below(200)).map(([one, other]) => ({
  maxFeePerGas: one > other ? one : other,
  maxPriorityFeePerGas: one > other ? other : one,
}));
const printedPrices = ({
  maxFeePerGas,
  maxPriorityFeePerGas,
}: {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}) => ({
  maxFeePerGas: trimmed(maxFeePerGas),
  maxPriorityFeePerGas: trimmed(maxPriorityFeePerGas),
});
const eip1559 = fc
  .record({ sent: call, fees: prices, list: accessList, by: signature })
  .map(({ by, fees, list, sent }) => ({
    encoded: TxEnvelopeEip1559.serialize({ ...sent, ...fees, accessList: list }, { signature: by }),
    expected: { ...expectedOf(2, sent, by), ...printedPrices(fees), accessList: listed(list) },
  }));
const eip7702 = fc
  .record({
    sent: call,
    fees: prices,
    list: accessList,
    grants: fc.array(authorization, { maxLength: 4 }),
    by: signature,
  })
  .map(({ by, fees, grants, list, sent }) => ({
    encoded: TxEnvelopeEip7702.serialize(
      { ...sent, ...fees, accessList: list, authorizationList: grants },
      { signature: by },
    ),
    expected: {
      ...expectedOf(4, sent, by),
      ...printedPrices(fees),
      accessList: listed(list),
      authorizationList: grants.map((each) => ({
        chainId: `0x${each.chainId.toString(16)}`,
        address: bytes(each.address),
        nonce: each.nonce,
        yParity: `0x${each.yParity}`,
        r: padded(unsignedBytes(each.r), 32),
        s: padded(unsignedBytes(each.s), 32),
      })),
    },
  }));
const anyTransaction = fc.oneof(legacy, eip2930, eip1559, eip7702);

type Nested = Uint8Array | readonly Nested[];
const rlp = (item: Nested) => Rlp.fromBytes(item as Parameters<typeof Rlp.fromBytes>[0]);
const number = (value: bigint) => trimmed(value);
const word = (byte: number) => new Uint8Array(32).fill(byte);
const NONE = new Uint8Array();
/** Items of a type 4, the one that has everything. */
const items = (): Nested[] => [
  number(298n),
  number(1n),
  number(2n),
  number(3n),
  number(21_000n),
  new Uint8Array(20).fill(7),
  number(5n),
  Uint8Array.of(1, 2, 3, 4),
  [],
  [],
  number(1n),
  word(1),
  word(2),
];
const typed = (list: Nested, type = 4) => Uint8Array.of(type, ...rlp(list));
const withItem = (index: number, item: Nested) => typed(items().with(index, item));

describe('decodeEthereumTransaction', () => {
  test.each([
    ['0', legacy],
    ['1', eip2930],
    ['2', eip1559],
    ['4', eip7702],
  ] as const)('reads what a library encoded in type %s', (_, transactions) => {
    fc.assert(
      fc.property(transactions, ({ encoded, expected }) => {
        expect(decodeEthereumTransaction(bytes(encoded))).toEqual(expected);
      }),
    );
  });

  test('never throws for changed, cut and made-up bytes', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    let readable = 0;
    fc.assert(
      fc.property(anyTransaction, changes, fc.nat(), fc.boolean(), ({ encoded }, places, cut, isCut) => {
        const changed = bytes(encoded);
        for (const [place, value] of places) changed[place % changed.length] = value;
        const given = isCut ? changed.subarray(0, cut % changed.length) : changed;
        if (decodeEthereumTransaction(given) !== null) readable++;
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom(0, 1, 2, 4, 0xc8, 0xf8, 0xf9, 0xff),
        (rest, first) => {
          decodeEthereumTransaction(Uint8Array.of(first, ...rest));
        },
      ),
      { numRuns: 500 },
    );
    expect(readable).toBeGreaterThan(0);
  });

  test('reads none that is cut off anywhere', () => {
    const whole = typed(items());
    for (let length = 0; length < whole.length; length++) {
      expect(decodeEthereumTransaction(whole.subarray(0, length)), `${length} bytes`).toBeNull();
    }
    expect(decodeEthereumTransaction(whole)).not.toBeNull();
  });

  test('leaves bytes after the transaction alone', () => {
    const whole = typed(items());
    expect(decodeEthereumTransaction(Uint8Array.of(...whole, 1, 2, 3))).toEqual(
      decodeEthereumTransaction(whole),
    );
  });

  test('reads bytes inside a larger buffer', () => {
    const whole = typed(items());
    const inside = Buffer.concat([Buffer.from('before'), whole, Buffer.from('after')]);
    expect(decodeEthereumTransaction(inside.subarray(6, 6 + whole.length))).toEqual(
      decodeEthereumTransaction(whole),
    );
  });

  test.each([
    ['no bytes', NONE],
    ['an unknown type', typed(items(), 3)],
    ['type 0 with a byte of its own', Uint8Array.of(0, ...rlp(items().slice(0, 9)))],
    ['no list', Uint8Array.of(2, 0x80)],
    ['one item more', typed([...items(), NONE])],
    ['one item less', typed(items().slice(0, 12))],
    ['a nonce with a leading zero', withItem(1, Uint8Array.of(0, 1))],
    ['a nonce of one zero byte', withItem(1, Uint8Array.of(0))],
    ['a nonce of nine bytes', withItem(1, new Uint8Array(9).fill(1))],
    ['a gas limit with a leading zero', withItem(4, Uint8Array.of(0, 1))],
    ['a value with a leading zero', withItem(6, Uint8Array.of(0, 1))],
    ['a parity of two bytes', withItem(10, Uint8Array.of(1, 1))],
    ['a list as call data', withItem(7, [NONE])],
    ['an access list of bytes alone', withItem(8, [Uint8Array.of(1)])],
    ['an access list entry of one item', withItem(8, [[word(1)]])],
    ['an access list entry of three items', withItem(8, [[word(1), [], []]])],
    ['storage keys that are no list', withItem(8, [[word(1), word(2)]])],
    ['a storage key that is a list', withItem(8, [[word(1), [[]]]])],
    ['authorizations that are no list', withItem(9, NONE)],
    ['an authorization of five items', withItem(9, [[NONE, word(1), NONE, NONE, word(2)]])],
    ['an authorization of seven items', withItem(9, [[NONE, word(1), NONE, NONE, word(2), word(3), NONE]])],
    ['an authorization with a list', withItem(9, [[NONE, word(1), [], NONE, word(2), word(3)]])],
    [
      'an authorization nonce with a leading zero',
      withItem(9, [[NONE, word(1), Uint8Array.of(0), NONE, word(2), word(3)]]),
    ],
    ['a list that says it has four billion bytes', Uint8Array.of(2, 0xfb, 255, 255, 255, 255, 1, 2)],
    ['a list that says it has 2^64 bytes', Uint8Array.of(2, ...new Array<number>(9).fill(255))],
  ])('is null for %s', (_, given) => {
    expect(decodeEthereumTransaction(given)).toBeNull();
  });

  test('is null for lists in 30 000 lists', () => {
    let nested = Buffer.alloc(0);
    const heads: Buffer[] = [];
    for (let length = 0, depth = 0; depth < 30_000; depth++) {
      const digits = length.toString(16);
      const long = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
      const head =
        length < 56 ? Buffer.of(0xc0 + length) : Buffer.concat([Buffer.of(0xf7 + long.length), long]);
      heads.push(head);
      length += head.length;
    }
    nested = Buffer.concat(heads.reverse());
    expect(decodeEthereumTransaction(nested)).toBeNull();
    expect(decodeEthereumTransaction(Buffer.concat([Buffer.of(2), nested]))).toBeNull();
  });

  test('reads a byte below 0x80 without a length alone', () => {
    const whole = typed(items());
    const other = [...whole.slice(0, 6), 0x81, ...whole.slice(6)];
    other[2] = (other[2] ?? 0) + 1;
    expect(whole.slice(1, 7)).toEqual(Uint8Array.of(0xf8, whole.length - 3, 0x82, 1, 0x2a, 1));
    expect(decodeEthereumTransaction(whole)).not.toBeNull();
    expect(decodeEthereumTransaction(Uint8Array.from(other))).toBeNull();
  });

  test('reads a length below 56 in its one form alone', () => {
    const empty = new Array<number>(9).fill(0x80);
    expect(decodeEthereumTransaction(Uint8Array.of(0xc9, ...empty))).not.toBeNull();
    expect(decodeEthereumTransaction(Uint8Array.of(0xf8, 9, ...empty))).toBeNull();
    expect(decodeEthereumTransaction(Uint8Array.of(0xf9, 0, 9, ...empty))).toBeNull();
  });

  test('reads no list whose last item ends behind it', () => {
    const empty = new Array<number>(8).fill(0x80);
    expect(decodeEthereumTransaction(Uint8Array.of(0xcb, ...empty, 0x82, 1, 2))).not.toBeNull();
    expect(decodeEthereumTransaction(Uint8Array.of(0xca, ...empty, 0x82, 1, 2))).toBeNull();
  });

  test('has 1500 authorizations at most', () => {
    const grant: Nested = [NONE, new Uint8Array(20), NONE, NONE, word(1), word(2)];
    const of = (count: number) =>
      decodeEthereumTransaction(
        Buffer.concat([Buffer.of(4), rlp(items().with(9, new Array<Nested>(count).fill(grant)))]),
      );
    expect(of(1500)?.authorizationList).toHaveLength(1500);
    expect(of(1501)).toBeNull();
  });

  test('fills addresses and keys up, and prints chain and parity of an authorization as quantities', () => {
    const list: Nested = [[Uint8Array.of(9), [Uint8Array.of(8), NONE]]];
    const grants: Nested = [
      [NONE, Uint8Array.of(1), NONE, NONE, NONE, Uint8Array.of(2)],
      [
        Uint8Array.of(0),
        Uint8Array.of(1),
        Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255),
        Uint8Array.of(1),
        NONE,
        NONE,
      ],
      [Uint8Array.of(1, 0x28), Uint8Array.of(1), Uint8Array.of(1, 0), NONE, NONE, NONE],
    ];
    const decoded = decodeEthereumTransaction(typed(items().with(8, list).with(9, grants)));
    expect(decoded?.accessList).toEqual([
      {
        address: padded(Uint8Array.of(9), 20),
        storageKeys: [padded(Uint8Array.of(8), 32), new Uint8Array(32)],
      },
    ]);
    expect(decoded?.authorizationList).toMatchObject([
      {
        chainId: '0x0',
        nonce: 0n,
        yParity: '0x0',
        address: padded(Uint8Array.of(1), 20),
        s: padded(Uint8Array.of(2), 32),
      },
      { chainId: '0x00', nonce: -1n, yParity: '0x1' },
      { chainId: '0x128', nonce: 256n },
    ]);
  });

  test('takes an access list that is no list as none', () => {
    expect(decodeEthereumTransaction(withItem(8, NONE))?.accessList).toEqual([]);
  });

  test('keeps integers of 64 bits in int64', () => {
    for (const [given, stored] of [
      [2n ** 63n - 1n, 2n ** 63n - 1n],
      [2n ** 63n, -(2n ** 63n)],
      [2n ** 64n - 1n, -1n],
    ] as const) {
      expect(decodeEthereumTransaction(withItem(1, number(given)))?.nonce).toBe(stored);
      expect(decodeEthereumTransaction(withItem(4, number(given)))?.gasLimit).toBe(stored);
    }
  });

  test('reads a v of any size', () => {
    const oldest = (v: Uint8Array) => {
      const list: Nested[] = [NONE, NONE, NONE, NONE, NONE, NONE, v, NONE, NONE];
      const { chainId, recoveryId, signatureV } =
        decodeEthereumTransaction(rlp(list)) ?? expect.fail('not read');
      expect(signatureV).toEqual(v);
      return [chainId === null ? null : toHex(chainId), recoveryId];
    };
    expect(oldest(NONE)).toEqual([null, 1]);
    expect(oldest(number(27n))).toEqual([null, 0]);
    expect(oldest(number(28n))).toEqual([null, 1]);
    expect(oldest(number(34n))).toEqual([null, 1]);
    expect(oldest(number(35n))).toEqual(['0x00', 0]);
    expect(oldest(number(628n))).toEqual(['0x0128', 1]);
    expect(oldest(number(2n ** 300n + 1n))).toEqual([toHex(unsignedBytes((2n ** 300n - 34n) / 2n)), 0]);
  });

  test('keeps a value that is larger than any, with its sign', () => {
    expect(decodeEthereumTransaction(withItem(6, NONE))?.value).toEqual(Uint8Array.of(0));
    expect(decodeEthereumTransaction(withItem(6, Uint8Array.of(0x7f)))?.value).toEqual(Uint8Array.of(0x7f));
    const long = new Uint8Array(200_000).fill(255);
    const whole = Buffer.concat([Buffer.of(4), rlp(items().with(6, long))]);
    expect(decodeEthereumTransaction(whole)?.value.length).toBe(200_001);
  });
});

describe('gasLimitOfEthereum', () => {
  test('reads transactions with and without a signature', () => {
    const { encoded } = fc.sample(eip1559, 1)[0] ?? expect.fail('no sample');
    expect(gasLimitOfEthereum(bytes(encoded))).toBe(decodeEthereumTransaction(bytes(encoded))?.gasLimit);
    for (const gas of [0n, 21_000n, 2n ** 64n - 1n]) {
      expect(gasLimitOfEthereum(typed(items().with(4, number(gas))))).toBe(gas);
      expect(gasLimitOfEthereum(typed(items().slice(0, 9).with(4, number(gas)), 2))).toBe(gas);
    }
  });

  test.each([
    ['more than 64 bits', withItem(4, number(2n ** 64n))],
    ['a list', withItem(4, [])],
    ['a transaction that ends before it', typed(items().slice(0, 4))],
    ['a cut transaction', typed(items()).subarray(0, 50)],
    ['no known type', typed(items(), 3)],
  ])('is null for %s', (_, given) => {
    expect(gasLimitOfEthereum(given)).toBeNull();
  });
});
