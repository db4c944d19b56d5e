import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { LedgerUnit } from './rows.ts';

/** What the stored units told of keys and ids that proofs of blocks are checked with. */
export interface KnownTrust extends ProofState {
  /** In the order of time. */
  readonly publications: readonly KnownPublication[];
}

/** A publication of the ledger id, as it is stored. */
export interface KnownPublication {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly ledgerId: Uint8Array;
  /** Serialized body; null where it was stored before bodies were kept, and its transaction is not there any more. */
  readonly body: Uint8Array | null;
  /** Whether the unit that held it was proven by signatures. */
  readonly isSigned: boolean;
}

/** What the proofs of earlier blocks showed. */
export interface ProofState {
  /** The highest of accepted proofs; null before the first. */
  readonly generation: 1 | 2 | null;
  /** Threshold keys that proven blocks told, newest first. */
  readonly keys: readonly Uint8Array[];
  /** As the state of the network names it; null when no block told. */
  readonly stateLedgerId: Uint8Array | null;
}

export const NO_PROOF_STATE: ProofState = { generation: null, keys: [], stateLedgerId: null };

/** The active key, the next one, and those before them, which late state proofs may still carry. */
const MAX_KEYS = 4;

/**
 * What is known with a unit taken in; the same value when that changes nothing.
 *
 * @param isJump whether units before it are missing
 */
export function knownTrustAfter(
  known: KnownTrust,
  unit: Pick<LedgerUnit, 'header' | 'publications' | 'proofs'>,
  isJump: boolean,
): KnownTrust {
  const state = proofStateAfter(known, unit, isJump);
  if (unit.publications.length === 0)
    return state === known ? known : { ...state, publications: known.publications };
  return {
    ...state,
    publications: [...known.publications, ...unit.publications.map((each) => storedPublication(each, unit))],
  };
}

/** The part that is one row. The same value is given back when the unit changes nothing. */
export function proofStateAfter(
  state: ProofState,
  { proofs }: Pick<LedgerUnit, 'proofs'>,
  isJump: boolean,
): ProofState {
  // A key that an earlier block told holds in an unbroken chain alone.
  let next = isJump && state.keys.length > 0 ? { ...state, keys: [] } : state;
  for (const { generation, keys, stateLedgerId } of proofs) {
    if (generation !== null && generation > (next.generation ?? 0)) next = { ...next, generation };
    // The first one holds, as with publications.
    if (stateLedgerId !== null && next.stateLedgerId === null) next = { ...next, stateLedgerId };
    const told = keys.filter((key, index) => !isAmong(key, keys.slice(0, index)));
    if (told.some((key) => !isAmong(key, next.keys))) {
      const earlier = next.keys.filter((key) => !isAmong(key, told));
      next = { ...next, keys: [...told, ...earlier].slice(0, MAX_KEYS) };
    }
  }
  return next;
}

function storedPublication(
  { body, consensusTimestamp, ledgerId }: LedgerUnit['publications'][number],
  { header }: Pick<LedgerUnit, 'header'>,
): KnownPublication {
  return { consensusTimestamp, ledgerId, body, isSigned: header.verification === 'signatures' };
}

function isAmong(key: Uint8Array, keys: readonly Uint8Array[]): boolean {
  return keys.some((each) => Buffer.compare(each, key) === 0);
}
