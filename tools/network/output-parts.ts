import { OUTPUT } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { FieldWalk, rawField } from '../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';
import { isSuccess } from '../../src/mirror/vocabulary/response-codes.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import type { RecordParts } from './record-parts.ts';

/** Members of `TransactionReceipt` and `TransactionRecord`. */
const RECEIPT = { account: 2, schedule: 12, scheduledTransaction: 13 };
const RECORD = { randomBytes: 19, randomNumber: 20 };
const [FIRST, SECOND] = [1, 2];

/** Serializes a `TransactionOutput` in the numbering of today's blocks. */
export function output(kind: keyof typeof OUTPUT, bytes: Uint8Array): Uint8Array {
  const [, number] = OUTPUT[kind];
  return new WireWriter().delimited(number, bytes).finish();
}

/** Outputs other than those of contracts. @see contracts/streams.md section 9.7 */
export function createdOutputs({ receipt, record, status, type }: RecordParts): readonly Uint8Array[] {
  const writer = new WireWriter();
  const [account, schedule, scheduled] = [
    RECEIPT.account,
    RECEIPT.schedule,
    RECEIPT.scheduledTransaction,
  ].map((member) => rawField(receipt, member));
  if (type === TYPE.CRYPTOCREATEACCOUNT && isSuccess(status) && account != null) {
    return [output('createAccount', writer.delimited(FIRST, account).finish())];
  }
  if (type === TYPE.SCHEDULECREATE && schedule != null) {
    const created = writer.delimited(FIRST, schedule).delimited(SECOND, scheduled ?? null);
    return [output('createSchedule', created.finish())];
  }
  if (type === TYPE.SCHEDULESIGN && scheduled != null) {
    return [output('signSchedule', writer.delimited(FIRST, scheduled).finish())];
  }
  if (type !== TYPE.UTILPRNG) return [];
  for (const walk = new FieldWalk(record.bytes); walk.next(); ) {
    if (walk.number === RECORD.randomBytes) {
      return [output('prng', writer.delimited(FIRST, walk.bytes).finish())];
    }
    if (walk.number === RECORD.randomNumber) {
      return [output('prng', writer.rawVarint(SECOND, walk.bytes).finish())];
    }
  }
  return [];
}
