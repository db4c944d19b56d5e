import { describe, expect, test } from 'vitest';
import { messages } from '../protobuf/messages.ts';
import { dataFieldNumber } from './body-data.ts';

describe('dataFieldNumber', () => {
  test('a type that this build does not know keeps its number', () => {
    expect(dataFieldNumber(Uint8Array.from([0x30, 1, 0xa2, 0x1f, 0]))).toBe(500);
  });

  test('fields outside the oneof are no type', () => {
    const bytes = messages.TransactionBody.encode({ memo: 'x', highVolume: true, batchKey: {} });
    expect(dataFieldNumber(bytes)).toBe(0);
  });

  test('a type that this build knows wins over fields that it does not know, wherever they stand', () => {
    const transfer = messages.TransactionBody.encode({ cryptoTransfer: {} });
    const strange = Uint8Array.from([0xda, 0x3e, 0, 0xe0, 0x3e, 1]);
    expect(dataFieldNumber(Buffer.concat([transfer, strange]))).toBe(14);
    expect(dataFieldNumber(Buffer.concat([strange, transfer]))).toBe(14);
    expect(dataFieldNumber(strange)).toBe(1003);
  });
});
