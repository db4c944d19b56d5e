import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { apiVersionOf } from '../../items/network-version.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import type { KnownTrust } from '../../ledger/known-trust.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import type { AddressBook, LedgerUnit, UnitHeader } from '../../ledger/rows.ts';
import { isSuccess, resultName } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { assembleAddressBooks } from '../decode/assemble-address-books.ts';
import { decodeUnit } from '../decode/decode-unit.ts';
import { withOpening } from '../decode/opening-rows.ts';
import { IngestError, inFile } from '../errors.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import { ledgerIdConflict, ledgerTrustOf } from '../trust/ledger-trust-of.ts';
import type { LedgerTrust } from '../units/ledger-trust.ts';
import type {
  Absence,
  ProvenLevel,
  StreamUnit,
  UnitDemands,
  VerifiedItems,
  VerifiedRows,
  VerifiedUnit,
} from '../units/stream-unit.ts';
import type { CommitBatch } from './commit-batch.ts';
import { verifiedAlone, verifyOverCutover, wrappedRoot } from './cutover.ts';
import type { ImporterContext } from './importer.ts';
import type { InTurn } from './ledger-turns.ts';
import type { Refusals, UnprovenUnits } from './refusals.ts';

type UnitReaderParts = ImporterContext & { readonly refusals: Refusals; readonly unproven: UnprovenUnits };

/** What a unit is read with. */
interface UnitContext {
  readonly keys: NodeKeys | null;
  /** A start book that the unit takes along; null for none. */
  readonly book: AddressBook | null;
  /** The ledger with the units that wait for their commit. */
  readonly batch: CommitBatch;
  /** Units that are read after this one. */
  readonly ahead: readonly StreamUnit[];
  /** Ends a wait for the source. */
  readonly inTurn: InTurn;
  /** Called with what did not count. Default: it is counted at once. */
  readonly onRejected?: (node: string, code: string) => void;
}

interface ReadUnit {
  readonly ledgerUnit: LedgerUnit;
  /** Checks the proof that it left for later; null when there is none. */
  readonly proveLater: (() => Promise<ProvenLevel>) | null;
  /** Signature files that did not count. */
  readonly rejectedSignatures: number;
  /** @see ProvenLevel */
  readonly isUncheckable: boolean;
}

/** Lets the unit verify itself, then decodes the items that it holds. */
export function createUnitReader(parts: UnitReaderParts) {
  const { gaps, isWatched, log, options, refusals, rejections, repository, source, state, unproven } = parts;

  /** Most units change nothing of what is known. */
  let lastTrust: { readonly known: KnownTrust; readonly trust: LedgerTrust } | null = null;
  const trustOf = (known: KnownTrust): LedgerTrust => {
    if (lastTrust?.known !== known) lastTrust = { known, trust: ledgerTrustOf(known, options.proofs) };
    return lastTrust.trust;
  };
  const told = new Set<string>();
  const tellOnce = (notes: readonly string[], name: string): void => {
    for (const note of notes) {
      if (!told.has(note)) log.info({ name }, note);
      told.add(note);
    }
  };

  const demandsOf = async (
    { name }: StreamUnit,
    {
      ahead = [],
      batch,
      keys,
      onRejected = (node, code) => rejections.add(node, code),
    }: Pick<UnitContext, 'batch' | 'keys'> & Partial<UnitContext>,
  ): Promise<UnitDemands> => {
    const mode = options.verify ?? 'signatures';
    const every = options.proofs?.every ?? 1;
    const isNew = !refusals.isWaitingFor(name) && !unproven.has(name);
    return {
      // What a watched source tries again is counted once.
      onRejected: (node, code) => (isNew ? onRejected(node, code) : undefined),
      mode,
      // While others are here already; the last one proves itself and those before it.
      mayProveLater: mode === 'signatures' && ahead.length > 0 && batch.unproven + 1 < every,
      consensusRatio: options.consensusRatio ?? [1n, 3n],
      keys,
      previous: await batch.chainEnd(),
      trust: trustOf(await batch.knownTrust()),
      gaps,
    };
  };

  /** Lets those units begin that will be asked for their proof. */
  const prepare = (ahead: readonly StreamUnit[], demands: UnitDemands, unproven: number): void => {
    const every = demands.mode === 'signatures' ? (options.proofs?.every ?? 1) : 1;
    for (const [index, next] of ahead.entries()) {
      if ((unproven + index + 1) % every === 0) next.prepare?.(demands);
    }
  };

  const reportUnlinked = ({ name }: StreamUnit, { blockNumber }: ChainEnd, reason: string): void => {
    const text = `not linked: block ${name} does not join record file ${blockNumber ?? ''} by its root`;
    state.note(text);
    log.warn({ source: source.name, name }, `${text}, because ${reason}`);
  };
  const keeping =
    (batch: CommitBatch) =>
    async ({ hash }: ChainEnd, root: Uint8Array): Promise<void> => {
      await batch.commit();
      await repository.keepRoot(hash, root);
    };
  /** The newest record file that was also seen as a block. */
  let wrapped: { readonly last: ChainEnd; readonly root: Uint8Array } | null = null;
  const keepRoot = async (batch: CommitBatch): Promise<void> => {
    if (wrapped === null) return;
    const { last, root } = wrapped;
    wrapped = null;
    await keeping(batch)(last, root);
  };
  const decode = async (
    { header, items, openingState = [], sidecarRecords, stated }: VerifiedItems,
    name: string,
    batch: CommitBatch,
  ): Promise<VerifiedRows['rows']> => {
    const { notes, ...decoded } = await decodeUnit(
      items,
      name,
      batch.lookup,
      sidecarRecords,
      apiVersionOf(header),
    );
    tellOnce(notes, name);
    const rows = inFile(name, () => withOpening(decoded, openingState, header));
    const addressBooks = await assembleAddressBooks(rows.filePieces, async (num, at) => {
      await batch.commit();
      return repository.fileContents(num, at, MAX_INT64);
    });
    return { ...rows, ...stated, addressBooks };
  };

  /** An integrity alarm when the network calls itself another ledger. @throws IngestError `ledger_id_conflict` */
  const demandSameLedger = async (
    name: string,
    { publications }: VerifiedRows['rows'],
    batch: CommitBatch,
  ): Promise<void> => {
    if (publications.length === 0 && (options.proofs?.ledgerId ?? null) === null) return;
    const conflict = ledgerIdConflict(name, publications, await batch.knownTrust(), options.proofs);
    if (conflict === null) return;
    rejections.add('', 'ledger_id_conflict');
    log.warn({ name, code: 'ledger_id_conflict' }, `integrity alarm: ${conflict}`);
  };

  return {
    /** @throws IngestError when the unit is damaged or does not follow. */
    async read(unit: StreamUnit, surroundings: UnitContext): Promise<ReadUnit> {
      const { ahead, batch, book, inTurn } = surroundings;
      if (unit.blockNumber !== undefined) await keepRoot(batch);
      const demands = await demandsOf(unit, surroundings);
      prepare(ahead, demands, demands.mayProveLater === true ? batch.unproven + 1 : 0);
      const verified = await verifyOverCutover(unit, demands, {
        source,
        inTurn,
        async lastStart() {
          await batch.commit();
          return (await repository.lastUnit())?.consensusStart ?? null;
        },
        keepRoot: keeping(batch),
        onUnlinked: reportUnlinked,
      });
      const missing = verified.sidecars.filter(({ contents }) => contents === null);
      // A block brings its sidecars itself: what it lacks never comes.
      const mayCome = verified.header.kind === 'record' && isWatched && refusals.isRecent(unit);
      if (missing.length > 0 && mayCome) {
        throw new IngestError('sidecar_missing', `Not all sidecars of ${unit.name} are available yet`);
      }
      const rows = 'rows' in verified ? verified.rows : await decode(verified, unit.name, batch);
      await demandSameLedger(unit.name, rows, batch);
      const ledgerUnit: LedgerUnit = {
        ...rows,
        proofs: verified.proof == null ? [] : [verified.proof],
        addressBooks: book === null ? rows.addressBooks : [book, ...rows.addressBooks],
        sidecars: verified.sidecars,
        tree: verified.tree,
        header: unitHeader(source.name, unit, verified, rows),
      };
      if ('notes' in verified) tellOnce(verified.notes ?? [], unit.name);
      warnOfFailedStakes(rows.transactions, unit.name, log);
      for (const rejected of verified.rejectedSignatures) {
        log.warn({ file: rejected.file, code: rejected.code }, `signature ignored: ${rejected.message}`);
      }
      return {
        ledgerUnit,
        proveLater: verified.proveLater ?? null,
        rejectedSignatures: verified.rejectedSignatures.length,
        isUncheckable: verified.isUncheckable ?? false,
      };
    },
    /** Whether it is proven as the mode asks for it, wherever it stands in the chain. */
    async proves(unit: StreamUnit, surroundings: Omit<UnitContext, 'ahead' | 'book'>): Promise<boolean> {
      const demands = { ...(await demandsOf(unit, surroundings)), onRejected: () => {} };
      return (await surroundings.inTurn(verifiedAlone(unit, demands))) !== null;
    },
    /** What the ledger has already may tell the root that the next block names. */
    async passOver(unit: StreamUnit, batch: CommitBatch): Promise<void> {
      if (unit.blockNumber === undefined) return;
      const demands = await demandsOf(unit, { batch, keys: null });
      const root = await wrappedRoot(unit, demands);
      if (root !== null && demands.previous !== null) wrapped = { last: demands.previous, root };
    },
    /** Stores what {@link passOver} found. */
    keepRoot,
    /** What is known of a unit that is not there. */
    absence: async (unit: StreamUnit, surroundings: Omit<UnitContext, 'ahead' | 'book'>): Promise<Absence> =>
      surroundings.inTurn(unit.absence(await demandsOf(unit, surroundings))),
  };
}

/** Turns a unit into rows. */
export type UnitReader = ReturnType<typeof createUnitReader>;

/** The stakes of the period before stay in force, and with them the weights of the nodes. */
function warnOfFailedStakes(
  transactions: LedgerUnit['transactions'],
  name: string,
  log: Pick<IngestLog, 'warn'>,
): void {
  for (const { consensusTimestamp, result, type } of transactions) {
    if (type !== TYPE.NODESTAKEUPDATE || isSuccess(result)) continue;
    const at = printTimestamp(consensusTimestamp);
    log.warn(
      { name, result: resultName(result) },
      `the stake update at ${at} failed: the stakes are unchanged`,
    );
  }
}

/**
 * What is stored of a unit beside its transactions.
 *
 * @param source name of the source it came from
 */
function unitHeader(
  source: string,
  { instant }: Pick<StreamUnit, 'instant'>,
  verified: VerifiedUnit,
  { transactions }: Pick<LedgerUnit, 'transactions'>,
): UnitHeader {
  // A unit may have no items; then it tells its time itself.
  const span = 'span' in verified ? verified.span : (spanOf(transactions) ?? { from: instant, to: instant });
  return {
    ...verified.header,
    source,
    consensusStart: span.from,
    consensusEnd: span.to,
    count: transactions.length,
  };
}

/** The least and the greatest time, wherever they stand; null without any. */
function spanOf(transactions: LedgerUnit['transactions']): VerifiedRows['span'] | null {
  const [first] = transactions;
  if (first === undefined) return null;
  let [from, to] = [first.consensusTimestamp, first.consensusTimestamp];
  for (const { consensusTimestamp: at } of transactions) {
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return { from, to };
}
