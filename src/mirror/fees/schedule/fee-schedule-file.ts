import { InvalidFeeScheduleError } from '../fee-errors.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { parseFeeScheduleJson } from './fee-schedule-json.ts';
import { decodeFeeSchedule } from './fee-schedule-protobuf.ts';

/** The first byte of a JSON object; no schedule in binary form begins with it (it would be a group). */
const OPENING_BRACE = 0x7b;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Reads the schedule that an operator gives as a file, in JSON spelling or in the ledger's binary form.
 *
 * @throws InvalidFeeScheduleError when it is neither, or breaks a rule.
 * @see contracts/fees-estimate.md sections 9.2 to 9.4
 */
export function readFeeScheduleFile(bytes: Uint8Array): FeeSchedule {
  if (bytes.find((byte) => !BLANKS.has(byte)) !== OPENING_BRACE) return decodeFeeSchedule(bytes);
  return parseFeeScheduleJson(parseJson(bytes));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new InvalidFeeScheduleError('the file is not JSON', error);
  }
}
