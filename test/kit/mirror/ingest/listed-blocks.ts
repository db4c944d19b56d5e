import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type BlockUnit,
  type BlockUnitParts,
  createBlockUnit,
} from '../../../../src/mirror/ingest/block/block-unit.ts';
import { unpackBlock } from '../../../../src/mirror/ingest/block/unpack-block.ts';
import { checkBlockProof } from '../../../../src/mirror/ingest/block-proof/check-block-proof.ts';
import { ProofCaches } from '../../../../src/mirror/ingest/block-proof/proof-caches.ts';
import type { NamedBytes, StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import { onePage } from '../../../../src/mirror/ingest/units/stream-source.ts';
import type { StreamUnit } from '../../../../src/mirror/ingest/units/stream-unit.ts';
import { streamPath } from './stream-facts.ts';

/** Proofs are checked in this thread; what was checked is remembered for all tests of a file. */
export function blockParts(): BlockUnitParts {
  return {
    proofs: { check: async (question) => checkBlockProof(question, PROOF_PARTS) },
    known: { form: null },
  };
}

const PROOF_PARTS = { caches: new ProofCaches(), randomBytes };

/** A block of the shared data, unpacked. */
export function sharedBlock(file: string): Uint8Array {
  return Buffer.from(unpackBlock(readFileSync(streamPath(file)), file));
}

/** Makes a unit of bytes; its name tells no number. */
export function blockOf(bytes: Uint8Array, name = 'a.blk', parts = blockParts()): BlockUnit {
  return createBlockUnit({ name: basename(name), path: name, node: null, number: null, bytes }, parts);
}

/** A source that lists these units whatever the ledger has, after its end. */
export function listing(units: readonly StreamUnit[], book: string | null = null): StreamSource {
  return {
    name: 'blocks',
    addressBook: async (): Promise<NamedBytes | null> =>
      book === null ? null : { name: book, bytes: readFileSync(streamPath(book)) },
    list: async (after) => {
      const older = units.filter(
        ({ blockNumber, instant }) =>
          after !== null &&
          instant <= after.time &&
          (blockNumber === undefined || blockNumber <= (after.blockNumber ?? blockNumber)),
      );
      const newer = units.filter((unit) => !older.includes(unit));
      return { older: older.map(({ instant }) => instant), pages: onePage(newer) };
    },
  };
}
