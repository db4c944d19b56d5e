import { NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { FieldWalk } from '../../protobuf/wire.ts';

const SECONDS = 1;
const NANOS = 2;

/** The nanoseconds of a serialized `Timestamp`. */
export function timeOf(bytes: Uint8Array): bigint {
  let [seconds, nanos] = [0n, 0];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === SECONDS) seconds = walk.int64;
    else if (walk.number === NANOS) nanos = walk.int;
  }
  return seconds * NANOS_PER_SECOND + BigInt(nanos);
}
