// Child process of the benchmarks: decodes the native blocks of a folder, hashes them to their roots and inserts the
// rows that an import made of them, and nothing else: no record, no chain, no JSON, no balance. Reading the rows is not timed.
// Run: node --import tsx bare-block-import-process.ts FOLDER IMPORTED_DATABASE DATABASE UNITS_PER_COMMIT
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { blockRoots } from '../../src/mirror/ingest/block/native-block.ts';
import { parseBlock } from '../../src/mirror/ingest/block/parse-block.ts';
import { ITEM } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { messages, messageType } from '../../src/mirror/protobuf/messages.ts';
import { rawField } from '../../src/mirror/protobuf/wire.ts';
import { insertImported } from './insert-imported.ts';

const TransferList = messageType('proto.TransferList');
const TokenTransferList = messageType('proto.TokenTransferList');
/** Of `TransactionResult`: the two lists that most transactions have. */
const RESULT = { transferList: 7, tokenTransferList: 8 };

const [folder = '', importedFile = '', file = '', unitsPerCommit = '1'] = process.argv.slice(2);
const names = new Set(readdirSync(folder));
insertImported(importedFile, file, Number(unitsPerCommit), (name) => {
  if (!names.has(name)) throw new Error(`${name} is not in ${folder}`);
  return decode(readFileSync(join(folder, name)), name);
});

function decode(compressed: Uint8Array, name: string): number {
  const block = parseBlock(gunzipSync(compressed), name);
  let transactions = 0;
  for (const { bytes, field } of block.items) {
    if (field === ITEM.signedTransaction) {
      messages.TransactionBody.decode(messages.SignedTransaction.decode(bytes).bodyBytes);
      transactions++;
    } else if (field === ITEM.transactionResult) {
      const [transfers, tokens] = [RESULT.transferList, RESULT.tokenTransferList].map((member) =>
        rawField(bytes, member),
      );
      if (transfers != null) TransferList.decode(transfers);
      if (tokens != null) TokenTransferList.decode(tokens);
    }
  }
  blockRoots(block);
  return transactions;
}
