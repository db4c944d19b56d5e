import { walkFields } from '../../protobuf/wire.ts';
import { IngestError, malformedFile } from '../errors.ts';

/** A wrapped record file, taken apart. */
export interface RecordFileItem {
  /** A serialized `Timestamp`; null where it is left out. */
  readonly creationTime: Uint8Array | null;
  /** A serialized `RecordStreamFile`. */
  readonly contents: Uint8Array;
  /** Serialized `SidecarFile` messages. */
  readonly sidecars: readonly Uint8Array[];
  /** Items that were added later and that no node signed. */
  readonly amendments: number;
}

const LENGTH_DELIMITED = 2;
/** Real files have a few. */
const MOST_SIDECARS = 1000;

/**
 * Reads the one `RecordFileItem` of a wrapped block, strictly.
 *
 * @throws IngestError `malformed`, `unsupported_item`.
 * @see contracts/streams.md section 9.2
 */
export function readRecordFileItem(bytes: Uint8Array, name: string): RecordFileItem {
  let contents: Uint8Array | null = null;
  const sidecars: Uint8Array[] = [];
  let amendments = 0;
  let creationTime: Uint8Array | null = null;
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    const isRepeated = (number === 1 && creationTime !== null) || (number === 2 && contents !== null);
    if (wireType !== LENGTH_DELIMITED || isRepeated)
      throw malformedFile(name, `field ${number} of its record file is wrong`);
    if (number === 1) creationTime = value;
    else if (number === 2) contents = value;
    else if (number === 3) {
      if (sidecars.length === MOST_SIDECARS)
        throw malformedFile(name, `its record file has more than ${MOST_SIDECARS} sidecars`);
      sidecars.push(value);
    } else if (number === 4) amendments++;
    else {
      throw new IngestError(
        'unsupported_item',
        `The record file in block file ${name} has a field ${number}, which is not supported`,
      );
    }
  }
  if (contents === null) throw malformedFile(name, 'its record file has no contents');
  return { creationTime, contents, sidecars, amendments };
}
