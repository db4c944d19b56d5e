import { FieldWalk, rawField } from '../../protobuf/wire.ts';

/** In `ExecutedInitcode`. */
const INITCODE = { contract: 1, bookends: 2, explicit: 3 };
/** In `InitcodeBookends`: what stands before and behind the code that was stored. */
const BOOKENDS = { deploy: 1, metadata: 2 };

/**
 * The creation code that a trace tells; networks leave out of it what the stored code repeats.
 *
 * @param initcode a serialized `ExecutedInitcode`, or the older wrapper with the explicit code alone
 * @param runtimeCode null when the creation failed
 * @returns null when the trace does not tell it
 * @see contracts/streams.md section 9.7, row bytecode
 */
export function executedInitcode(initcode: Uint8Array, runtimeCode: Uint8Array | null): Uint8Array | null {
  const explicit = rawField(initcode, INITCODE.explicit);
  if (explicit !== null) return explicit;
  const bookends = rawField(initcode, INITCODE.bookends);
  if (bookends === null || runtimeCode === null) return null;
  let [deploy, metadata]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  for (const walk = new FieldWalk(bookends); walk.next(); ) {
    if (walk.number === BOOKENDS.deploy) deploy = walk.bytes;
    else if (walk.number === BOOKENDS.metadata) metadata = walk.bytes;
  }
  return new Uint8Array(Buffer.concat([deploy, runtimeCode, metadata]));
}

/** The contract that a trace names as that of the code; null in the older form. */
export function initcodeContract(initcode: Uint8Array): Uint8Array | null {
  return rawField(initcode, INITCODE.contract);
}
