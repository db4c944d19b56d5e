import { describe, expect, test } from 'vitest';
import { lengthField } from '../../../../../test/kit/mirror/ingest/block-bytes.ts';
import { endMessage, itemsMessage, statusMessage } from '../../../../../test/kit/mirror/ingest/block-node.ts';
import {
  encodeSubscribe,
  headerTime,
  MAX_UINT64,
  readServerStatus,
  readStreamMessage,
} from './grpc-connection.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

describe('messages of a block node', () => {
  test('a subscription names its range, an open end as the highest number of 64 bits', () => {
    expect(hex(encodeSubscribe({ start: 0n, end: 300n }))).toBe('080010ac02');
    expect(hex(encodeSubscribe({ start: 1n, end: MAX_UINT64 }))).toBe('080110ffffffffffffffffff01');
  });

  test('an answer is items, an end or a status', () => {
    expect(readStreamMessage(itemsMessage(bytes('0a021200')))).toEqual({
      kind: 'items',
      set: bytes('0a021200'),
    });
    expect(readStreamMessage(endMessage(MAX_UINT64 - 1n))).toEqual({
      kind: 'end',
      blockNumber: MAX_UINT64 - 1n,
    });
    expect(readStreamMessage(endMessage(0n))).toEqual({ kind: 'end', blockNumber: 0n });
    expect(readStreamMessage(statusMessage(0))).toEqual({ kind: 'status', code: 0 });
  });

  test.each([
    ['nothing', ''],
    ['an unknown member', '2200'],
    ['a cut field', '120a01'],
  ])('an answer that is %s is refused', (_name, text) => {
    expect(() => readStreamMessage(bytes(text))).toThrow('an answer of a subscription cannot be read');
  });

  test('a status tells a range, or that there is none', () => {
    expect(readServerStatus(bytes('080510ac02'))).toEqual({ first: 5n, last: 300n });
    expect(readServerStatus(bytes('1007'))).toEqual({ first: 0n, last: 7n });
    expect(readServerStatus(bytes('08ffffffffffffffffff0110ffffffffffffffffff01'))).toBeNull();
    expect(() => readServerStatus(bytes('08'))).toThrow('a status cannot be read');
  });

  test('the header of a block tells its time', () => {
    expect(headerTime(lengthField(1, lengthField(4, bytes('08b0da0a100c'))))).toEqual({
      seconds: 175_408n,
      nanos: 12,
    });
  });
});
