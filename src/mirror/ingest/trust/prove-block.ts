import { type LedgerPublication, readLedgerPublication } from '../../items/ledger-publication.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import type { ProofFailure, ProofQuestion, ProofVerdict } from '../block-proof/proof-verdict.ts';
import { isCheckable } from '../block-proof/read-block-proof.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import type { BlockPart } from '../block-records/read-transactions.ts';
import { IngestError, type IngestErrorCode, inFile } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import { type LedgerTrust, NO_LEDGER_TRUST } from '../units/ledger-trust.ts';
import type { ProvenLevel, UnitDemands, VerifyMode } from '../units/stream-unit.ts';

/** Checks proofs, wherever that happens. */
export interface ProofCheck {
  check(question: ProofQuestion): Promise<ProofVerdict>;
}

/** What of the demands on a unit its proof has to meet. */
export type ProofDemands = Pick<UnitDemands, 'mayProveLater' | 'mode' | 'trust'>;

/** A block as far as the proof of its root needs it. */
interface BlockToProve {
  /** For messages. */
  readonly name: string;
  readonly number: bigint;
  /** Recomputed from the items. */
  readonly root: Uint8Array;
  /** Serialized BlockProofs. */
  readonly proofs: readonly Uint8Array[];
  readonly items: readonly BlockPart[];
}

/** How far a block is proven, or how to find out. */
export interface ProvenBlock extends ProvenLevel {
  /** Checks the proofs; only there when they were left for later. */
  readonly proveLater?: () => Promise<ProvenLevel>;
}

const UNPROVEN = {
  level: 'chain',
  note: 'its proof is not checked yet',
  proof: { generation: null, keys: [], stateLedgerId: null },
} as const;

/**
 * Proves the root of a block as its mode demands: every proof of a known form has to hold.
 *
 * A block that may prove itself later does, unless later proofs rest on what it tells or its proof cannot be checked.
 *
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see contracts/streams.md sections 9.2 and 18
 */
export async function proveBlock(
  block: BlockToProve,
  { mayProveLater = false, mode, trust = NO_LEDGER_TRUST }: ProofDemands,
  checker: ProofCheck,
): Promise<ProvenBlock> {
  if (mode === 'none' || mode === 'chain') return { level: mode, note: null, proof: null };
  const prove = () => checkProofs(block, trust, mode, checker);
  const canWait =
    mayProveLater &&
    block.proofs.every((proof) => isCheckable(proof, trust)) &&
    !inFile(block.name, () => tellsTrust(block.items));
  return canWait ? { ...UNPROVEN, proveLater: prove } : prove();
}

async function checkProofs(
  { items, name, number, proofs, root }: BlockToProve,
  known: LedgerTrust,
  mode: VerifyMode,
  checker: ProofCheck,
): Promise<ProvenLevel> {
  const trust = inFile(name, () => trustOfBlock(known, { items, number }));
  const verdicts = await Promise.all(
    proofs.map((proof) => checker.check({ root, blockNumber: number, proof, trust })),
  );
  const judged = bestOf(verdicts, trust, mode, name);
  const { keys, stateLedgerId } = inFile(name, () => toldKeys(items));
  const { isUncheckable, level, note, verdict } = judged;
  const held = verdict.kind === 'holds' ? verdict : null;
  return {
    level,
    note,
    isUncheckable,
    proof: {
      generation: held?.generation ?? null,
      // Keys that nobody proved would prove others. A copy: the key is a view of the whole block.
      keys: level === 'signatures' && held !== null ? [...keys, Uint8Array.from(held.verificationKey)] : [],
      stateLedgerId,
    },
  };
}

/** @throws IngestError when one is false, or all of them prove less than the mode demands. */
function bestOf(
  verdicts: readonly ProofVerdict[],
  trust: LedgerTrust,
  mode: UnitDemands['mode'],
  name: string,
): ProofLevel & { readonly verdict: ProofVerdict } {
  const wrong = verdicts.find(({ kind }) => kind === 'false');
  const [best] = wrong === undefined ? [...verdicts].sort((one, other) => rank(other) - rank(one)) : [wrong];
  if (best === undefined) throw new IngestError('malformed', `${name} has no proof`);
  return { ...proofLevel(best, trust, mode, name), verdict: best };
}

function rank(verdict: ProofVerdict): number {
  return verdict.kind === 'holds' ? verdict.generation : 0;
}

/** What a proof is worth. */
interface ProofLevel {
  readonly level: 'signatures' | 'chain';
  /** In words what it showed, and why it proves no more. */
  readonly note: string;
  /** Whether nothing of it could be checked although the ledger id is pinned. */
  readonly isUncheckable: boolean;
}

/**
 * How far a block is proven, given what its proof turned out to be.
 *
 * A proof that cannot be checked, or that rests on what nobody vouches for, leaves the chain of hashes; in mode `strict`
 * the block is refused. A false proof refuses the block in either mode, and where the ledger id is pinned so does one
 * that proves nothing and that no later release would make: it would take the place of the true block.
 *
 * @param name of the block, for messages
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see docs/adr/0022-block-proofs.md, contracts/streams.md sections 15, 18.2 and 18.3
 */
export function proofLevel(
  verdict: ProofVerdict,
  trust: Pick<LedgerTrust, 'isPinned' | 'allowsGeneration1'>,
  mode: VerifyMode,
  name: string,
): ProofLevel {
  if (verdict.kind === 'false') {
    throw badProof(name, verdict.failure, verdict.reason);
  }
  const chainOnly = (code: IngestErrorCode, note: string): ProofLevel => {
    if (mode === 'strict') {
      throw new IngestError(
        code,
        `${name} is not proven: ${note}; MIRROR_VERIFY=signatures accepts it as chain`,
      );
    }
    return { level: 'chain', note, isUncheckable: trust.isPinned && verdict.kind === 'uncheckable' };
  };
  if (verdict.kind === 'uncheckable') {
    if (trust.isPinned && !verdict.isNewer) throw badProof(name, 'encoding', verdict.reason);
    return chainOnly(verdict.code, verdict.reason);
  }
  const generation = `generation ${verdict.generation}`;
  if (!trust.isPinned) {
    return chainOnly('missing_ledger_id', `${generation}, ledger id not pinned (MIRROR_LEDGER_ID)`);
  }
  if (verdict.generation === 1 && !trust.allowsGeneration1) {
    return chainOnly('unsupported_proof', `${generation}, not allowed (MIRROR_PROOF_GENERATION=1)`);
  }
  const note = generation + (verdict.keyBy === 'chain' ? ', key by chain' : '');
  return { level: 'signatures', note, isUncheckable: false };
}

function badProof(name: string, failure: ProofFailure, reason: string): IngestError {
  return new IngestError('bad_block_proof', `The proof of ${name} is invalid (${failure}): ${reason}`);
}

/** What a block says about keys and ids, unproven. */
interface ToldKeys {
  /** Threshold keys of the active and of the next construction. */
  readonly keys: readonly Uint8Array[];
  readonly stateLedgerId: Uint8Array | null;
}

const BODY_BYTES = 1;
const PUBLICATION = 77;
/** In StateChanges and StateChange. */
const FIELD = { changes: 2, stateId: 1, singleton: 4 };
/** States that name a threshold key, and where: construction, scheme, preprocessed keys, verification key. */
const KEY_STATES: readonly number[] = [38, 39];
const KEY_PATH = [14, 6, 1, 2];
const LEDGER_ID_STATE = 42;
const LEDGER_ID_PATH = [6, 1];
const KEY_LENGTH = 1096;

/**
 * The keys and the id that the state changes of a block name.
 *
 * @see contracts/streams.md section 9.2
 */
export function toldKeys(items: readonly BlockPart[]): ToldKeys {
  const keys: Uint8Array[] = [];
  let stateLedgerId: Uint8Array | null = null;
  for (const { id, singleton } of singletons(items)) {
    if (KEY_STATES.includes(id)) {
      const key = memberAt(singleton, KEY_PATH);
      if (key?.length === KEY_LENGTH) keys.unshift(Uint8Array.from(key));
    } else if (id === LEDGER_ID_STATE) {
      const told = memberAt(singleton, LEDGER_ID_PATH);
      if (told !== null && told.length > 0) stateLedgerId = Uint8Array.from(told);
    }
  }
  return { keys, stateLedgerId };
}

/** Whether the proofs of later blocks may rest on what a block tells. */
function tellsTrust(items: readonly BlockPart[]): boolean {
  const { keys, stateLedgerId } = toldKeys(items);
  return keys.length > 0 || stateLedgerId !== null || ownPublication(items) !== null;
}

/**
 * Trust with what the first block of a network tells of itself, where nothing better is known. Later blocks hold
 * transactions of anybody, also publications that failed. With a pinned id it may add the roster, which the id is the hash of, but not the WRAPS key.
 *
 * @see contracts/streams.md section 18.3
 */
export function trustOfBlock(
  trust: LedgerTrust,
  { items, number }: { readonly items: readonly BlockPart[]; readonly number: bigint },
): LedgerTrust {
  if (number !== 0n || (trust.ledgerId !== null && trust.roster !== null)) return trust;
  const told = ownPublication(items);
  if (told === null) return trust;
  const roster = told.roster.length === 0 ? null : told.roster;
  if (trust.ledgerId === null) return { ...trust, ledgerId: told.ledgerId, wrapsKey: told.wrapsKey, roster };
  if (!sameBytes(trust.ledgerId, told.ledgerId)) return trust;
  return { ...trust, roster, wrapsKey: trust.wrapsKey ?? (trust.isPinned ? null : told.wrapsKey) };
}

function ownPublication(items: readonly BlockPart[]): LedgerPublication | null {
  for (const { bytes, field } of items) {
    if (field !== ITEM.signedTransaction) continue;
    const body = rawField(bytes, BODY_BYTES);
    const publication = body === null ? null : rawField(body, PUBLICATION);
    if (publication !== null) return readLedgerPublication(publication);
  }
  return null;
}

function* singletons(items: readonly BlockPart[]): Generator<{ id: number; singleton: Uint8Array }> {
  for (const { bytes, field } of items) {
    if (field !== ITEM.stateChanges) continue;
    for (const list = new FieldWalk(bytes); list.next(); ) {
      if (list.number !== FIELD.changes) continue;
      let id: number | null = null;
      let singleton: Uint8Array | null = null;
      for (const walk = new FieldWalk(bytes, list.start, list.end); walk.next(); ) {
        // The ids asked for have one byte.
        if (walk.number === FIELD.stateId) id ??= walk.end - walk.start === 1 ? walk.int : 0;
        else if (walk.number === FIELD.singleton && walk.wireType === 2) singleton = walk.bytes;
      }
      if (singleton !== null) yield { id: id ?? 0, singleton };
    }
  }
}

function memberAt(bytes: Uint8Array, path: readonly number[]): Uint8Array | null {
  return path.reduce<Uint8Array | null>((at, number) => (at === null ? null : rawField(at, number)), bytes);
}
