import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgedSignature } from '../../../../test/kit/mirror/ingest/block-proof/forged-signature.ts';
import {
  blockSignatureOf,
  type RealBlock,
  realBlock,
} from '../../../../test/kit/mirror/ingest/block-proof/real-blocks.ts';
import { realQuestion } from '../../../../test/kit/mirror/ingest/block-proof/real-questions.ts';
import { writtenMessage } from '../../../../test/kit/mirror/ingest/block-proof/written-message.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { rawField, wireFields } from '../../protobuf/wire.ts';
import { checkBlockProof } from './check-block-proof.ts';
import { checkResult } from './failed-check.ts';
import { checkHints } from './hints/check-hints.ts';
import { parseHintsKey } from './hints/hints-key.ts';
import { parseHintsSignature } from './hints/hints-signature.ts';
import { ProofCaches } from './proof-caches.ts';
import type { ProofGeneration } from './proof-verdict.ts';

const STATE_CHANGES = 7;
/** State 48, and where its value lies in a change. @see contracts/streams.md section 9.2 */
const SETUP = { state: 48, change: 2, singleton: 4, value: 17, bytes: 1 };
const ALL = 4n;

/** The set-up of the network's signatures, as the block last states it. */
function publishedSetup({ items }: RealBlock): Uint8Array {
  const changes = items
    .filter(({ field }) => field === STATE_CHANGES)
    .flatMap(({ bytes }) => wireFields(bytes).filter(({ number }) => number === SETUP.change))
    .filter(({ bytes }) => wireFields(bytes)[0]?.bytes[0] === SETUP.state);
  const state = rawField(changes.at(-1)?.bytes ?? new Uint8Array(), SETUP.singleton);
  return (
    rawField(rawField(state ?? new Uint8Array(), SETUP.value) ?? new Uint8Array(), SETUP.bytes) ??
    new Uint8Array()
  );
}

describeShared('a signature of 3 of 4 that is made to claim 4 of 4', () => {
  const block = realBlock('blocks-0.78', 0);
  const question = realQuestion('blocks-0.78', 0);
  const signature = blockSignatureOf(block);
  const [key, threshold, addressBook] = [
    signature.subarray(0, 1096),
    signature.subarray(1096, 2728),
    signature.subarray(2728),
  ];
  const weights = question.trust.roster?.map(({ weight }) => weight) ?? [];
  const forge = (claimed: bigint, generation: ProofGeneration) =>
    forgedSignature(
      { key, signature: threshold, weights, setup: publishedSetup(block) },
      claimed,
      generation,
    );
  const checked = (forged: Uint8Array, generation: ProofGeneration) =>
    checkResult(() =>
      checkHints(parseHintsKey(key), parseHintsSignature(forged), block.root, generation, randomBytes),
    )?.failure ?? 'holds';

  test('is accepted by the rules of generation 1, which therefore prove no weight', () => {
    const forged = forge(ALL, 1);
    expect(parseHintsSignature(threshold).claimedWeight).toBe(3n);
    expect(parseHintsSignature(forged).claimedWeight).toBe(ALL);
    const proof = writtenMessage([2, writtenMessage([1, Buffer.concat([key, forged, addressBook])])]);
    const parts = { caches: new ProofCaches(), randomBytes };
    // What is said of it is the generation, by which its worth is decided.
    expect(checkBlockProof({ ...question, proof }, parts)).toMatchObject({ kind: 'holds', generation: 1 });
    const strict = { ...question.trust, leastGeneration: 2 as const };
    expect(checkBlockProof({ ...question, proof, trust: strict }, parts)).toMatchObject({ kind: 'false' });
  });

  test('is refused by the rules of generation 2, however it is made', () => {
    expect(checked(forge(ALL, 1), 1)).toBe('holds');
    expect(checked(forge(ALL, 1), 2)).toBe('sum_identity');
    expect(checked(forge(ALL, 2), 2)).toBe('open_r');
  });

  test('may not claim more than there is, by the rules of any generation', () => {
    expect(checked(forge(4000n, 1), 1)).toBe('threshold');
  });
});
