import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordSets, streamPath } from '../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { toHex } from '../../values/hex.ts';
import { decompress, parseRecordFile } from '../ingest/record-file/parse-record-file.ts';
import { type DecodedItem, decodeItem } from '../items/decoded-item.ts';
import { messages } from '../protobuf/messages.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';
import { BLOOM_BYTES, bloomOf, orInto } from './bloom.ts';
import { ethereumHash } from './ethereum-hash.ts';
import { decodeEthereumTransaction } from './ethereum-transaction.ts';
import { packBloom, unpackBloom } from './packed-bloom.ts';
import { ethereumGasPrice, quantity } from './quantities.ts';

/** A result of a record, as far as this test reads it. */
interface Result {
  readonly logInfo?: readonly {
    readonly contractID: { readonly contractNum: bigint };
    readonly bloom: Uint8Array;
    readonly topic?: readonly Uint8Array[];
  }[];
}

const resultOf = ({ item }: DecodedItem): Result => {
  const plain = messages.TransactionRecord.decodePlain(item.record) as unknown as Record<string, Result>;
  return plain['contractCallResult'] ?? plain['contractCreateResult'] ?? {};
};
const withoutLeadingZeros = (bytes: Uint8Array) => bytes.subarray(bytes.findIndex((byte) => byte !== 0));

describeShared('real record files', () => {
  const files = recordSets().flatMap(({ files: each }) => each);
  const items: readonly DecodedItem[] = files.flatMap(({ file }) =>
    parseRecordFile(decompress(readFileSync(streamPath(file)), file), file).items.map(decodeItem),
  );
  test('have Ethereum transactions, all of which are read, with their hashes', () => {
    const told = files.reduce((sum, { types }) => sum + (types['ETHEREUMTRANSACTION'] ?? 0), 0);
    const read = items.flatMap(({ body: { ethereumTransaction: sent }, record }) => {
      if (sent === null) return [];
      expect(toHex(ethereumHash(sent.ethereumData, null) ?? new Uint8Array())).toBe(
        toHex(record.ethereumHash),
      );
      const decoded = decodeEthereumTransaction(sent.ethereumData) ?? expect.fail('not readable');
      const { callData, chainId, gasLimit, gasPrice, nonce, recoveryId, toAddress, type, value } = decoded;
      const [price, to] = [ethereumGasPrice(gasPrice, true), toHex(toAddress)];
      return [
        {
          type,
          nonce,
          gasLimit,
          price,
          chain: quantity(chainId),
          to,
          data: callData.length,
          recoveryId,
          value,
        },
      ];
    });
    const creation = { type: 0, gasLimit: 4_000_000n, price: '0x2f', chain: '0x12a', to: '0x', data: 4035 };
    expect(read).toHaveLength(told);
    expect(read).toMatchObject([
      {
        type: 0,
        chain: '0x127',
        to: '0xb9c75655d15cb113340c25d79dee50e16e72961b',
        data: 1188,
        recoveryId: 1,
      },
      { ...creation, nonce: 30n, recoveryId: 1, value: Uint8Array.of(0) },
      { ...creation, nonce: 31n, recoveryId: 0, value: Uint8Array.of(0) },
    ]);
  });

  test('have blooms of logs that follow from address and topics, and are stored in a few bytes', () => {
    let logs = 0;
    for (const each of items) {
      const { bloom: ofResult } = each.record.contractCallResult ?? each.record.contractCreateResult ?? {};
      const joined = new Uint8Array(BLOOM_BYTES);
      for (const { bloom, contractID, topic = [] } of resultOf(each).logInfo ?? []) {
        const address = longZeroOf(contractID.contractNum);
        expect(toHex(bloomOf(address, topic))).toBe(toHex(bloom));
        expect(toHex(bloomOf(address, topic.map(withoutLeadingZeros)))).toBe(toHex(bloom));
        expect(packBloom(bloom)?.length).toBeLessThanOrEqual(31);
        orInto(joined, bloom);
        logs++;
      }
      if (ofResult === undefined || ofResult.length === 0) continue;
      expect(toHex(joined)).toBe(toHex(ofResult));
      expect(toHex(unpackBloom(packBloom(joined)) ?? new Uint8Array())).toBe(toHex(joined));
    }
    expect(logs).toBe(23);
  });
});
