import { expect, test } from 'vitest';
import { messages } from './messages.ts';
import { signaturePairs } from './transaction-body.ts';
import { WireWriter } from './wire-writer.ts';

const BODY = messages.TransactionBody.encode({ memo: 'x' });
const [PREFIX, SIGNATURE] = [Uint8Array.of(1, 2), Uint8Array.of(3)];
const shown = (transaction: Uint8Array) =>
  signaturePairs(transaction).map(({ prefix, signature, type }) => [[...prefix], type, [...signature]]);

test.each([
  ['contract', 2],
  ['ed25519', 3],
  ['RSA_3072', 4],
  ['ECDSA_384', 5],
  ['ECDSASecp256k1', 6],
])('a signature of kind %s has the number of its field, in both forms of a transaction', (kind, type) => {
  const sigMap = { sigPair: [{ pubKeyPrefix: PREFIX, [kind]: SIGNATURE }, { ed25519: SIGNATURE }] };
  const expected = [
    [[1, 2], type, [3]],
    [[], 3, [3]],
  ];
  const signedTransactionBytes = messages.SignedTransaction.encode({ bodyBytes: BODY, sigMap });
  expect(shown(messages.Transaction.encode({ signedTransactionBytes }))).toEqual(expected);
  expect(shown(messages.Transaction.encode({ bodyBytes: BODY, sigMap }))).toEqual(expected);
});

/** A transaction with one pair that is given as bytes. */
function withPair(pair: Uint8Array): Uint8Array {
  const map = new WireWriter().delimited(1, pair).finish();
  return new WireWriter().delimited(3, map).delimited(4, BODY).finish();
}

test('of an unknown kind the field with one length-delimited value is the signature', () => {
  const pair = new WireWriter().delimited(1, PREFIX).varint(8, 5).delimited(9, PREFIX).delimited(9, PREFIX);
  expect(shown(withPair(pair.delimited(11, SIGNATURE).finish()))).toEqual([[[1, 2], 11, [3]]]);
});

test('a pair without a signature is left out, and so is a transaction without signatures', () => {
  expect(shown(withPair(new WireWriter().delimited(1, PREFIX).varint(8, 5).finish()))).toEqual([]);
  expect(shown(messages.Transaction.encode({ bodyBytes: BODY }))).toEqual([]);
});
