import type { ImportReport } from '../../../../src/mirror/ingest/report/import-report.ts';
import { type IngestLog, silentLog } from '../../../../src/mirror/ingest/report/ingest-log.ts';
import type { IngestState } from '../../../../src/mirror/ingest/report/ingest-state.ts';
import {
  createImporter,
  type Importer,
  type ImporterOptions,
} from '../../../../src/mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../../../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../../../src/mirror/ingest/source/file-tree.ts';
import type { StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import { type ChainEnd, chainEndAfter } from '../../../../src/mirror/ledger/chain-end.ts';
import { isJump } from '../../../../src/mirror/ledger/is-jump.ts';
import { type KnownTrust, knownTrustAfter } from '../../../../src/mirror/ledger/known-trust.ts';
import {
  type LedgerRepository,
  type NodeKeys,
  withCommitUnit,
} from '../../../../src/mirror/ledger/ledger-repository.ts';
import type { AddressBook, FilePiece, LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';
import { decodeEntityId } from '../../../../src/values/entity-id.ts';
import { NO_KNOWN_TRUST } from '../ledger-rows.ts';

/** A ledger that keeps its units in a list, and imports into it. */
export interface MemoryLedger {
  readonly repository: LedgerRepository;
  readonly units: readonly LedgerUnit[];
  import(source: string | StreamSource, options?: ImporterOptions, log?: IngestLog): Promise<ImportReport>;
  /** State of the last importer. */
  state(): IngestState | null;
  /** Everything stored, as one text. */
  dump(): string;
}

/** @param keys of the nodes while no address book is stored */
export function memoryLedger(keys: NodeKeys | null = null): MemoryLedger {
  const units: LedgerUnit[] = [];
  const books: AddressBook[] = [];
  let importer: Importer | null = null;
  const repository: LedgerRepository = withCommitUnit({
    async lastUnit() {
      const last = units.at(-1);
      if (last === undefined) return null;
      const ends = units.map(({ header }): bigint => header.consensusEnd);
      return { ...last.header, place: ends.reduce((greatest, end) => (end > greatest ? end : greatest)) };
    },
    async chainEnd() {
      return units.reduce<ChainEnd | null>(chainEndAfter, null);
    },
    async keepRoot(hash, root) {
      const at = units.findIndex(({ header }) => Buffer.from(header.hash).equals(hash));
      const unit = units[at];
      if (unit?.header.kind === 'record') units[at] = { ...unit, header: { ...unit.header, root } };
    },
    async knownTrust() {
      let known: KnownTrust = NO_KNOWN_TRUST;
      let end: ChainEnd | null = null;
      for (const unit of units) {
        known = knownTrustAfter(known, unit, isJump(unit.header, end?.hash ?? null));
        end = chainEndAfter(end, unit);
      }
      return known;
    },
    async unknownStarts(times) {
      const begins = ({ header, transactions }: LedgerUnit) => [
        header.consensusStart,
        transactions[0]?.consensusTimestamp,
      ];
      return times.filter((time) => !units.some((unit) => begins(unit).includes(time)));
    },
    async storedTimes(times) {
      return times.filter((time) =>
        units.some(({ transactions }) => transactions.some(({ consensusTimestamp: at }) => at === time)),
      );
    },
    async recentUnits(count) {
      return units
        .map(({ header }, index) => ({ ...header, place: BigInt(index) }))
        .filter(({ kind }) => kind !== 'fixture')
        .slice(-count)
        .reverse();
    },
    async hashOfBlock(blockNumber) {
      return units.find(({ header }) => header.blockNumber === blockNumber)?.header.hash ?? null;
    },
    async hasUnit(hash) {
      return units.some(({ header }) => Buffer.compare(header.hash, hash) === 0);
    },
    async hasFile(fileHash) {
      return units.some(({ header }) => Buffer.compare(header.fileHash, fileHash) === 0);
    },
    async commitUnits(added) {
      return added.map((unit) => {
        if (units.some(({ header }) => Buffer.compare(header.hash, unit.header.hash) === 0)) {
          return 'already-stored';
        }
        units.push(unit);
        books.push(...unit.addressBooks);
        return 'stored';
      });
    },
    async nodeKeysAt(timestamp) {
      const book = books.findLast(
        ({ file, isTold = false, startTimestamp }) =>
          !isTold && decodeEntityId(file).num === 102n && startTimestamp <= timestamp,
      );
      const stakes =
        units.flatMap(({ stakeUpdates }) => stakeUpdates).findLast(({ isTold = false }) => !isTold)?.nodes ??
        [];
      const stakeOf = new Map(stakes.map(({ nodeId, stake }) => [nodeId, stake]));
      if (book === undefined) return keys;
      return { nodes: book.entries.map((entry) => ({ ...entry, stake: stakeOf.get(entry.nodeId) ?? 0n })) };
    },
    async fileContents(fileNum, timestamp, before) {
      const pieces = units
        .flatMap(({ filePieces }) => filePieces)
        .filter(
          (piece) =>
            decodeEntityId(piece.file).num === fileNum &&
            (before !== undefined || piece.consensusTimestamp <= timestamp),
        );
      const start = pieces.findLastIndex(({ transactionType }) => transactionType !== 16);
      const version: readonly FilePiece[] = start < 0 ? [] : pieces.slice(start);
      const contents = Buffer.concat(version.map((piece) => piece.contents));
      return start < 0 ? null : { contents, isTold: version.some(({ isTold }) => isTold === true) };
    },
  });
  return {
    repository,
    units,
    async import(source, options = {}, log = silentLog) {
      const from = typeof source === 'string' ? createDirectorySource(source, systemFileTree) : source;
      importer = createImporter({ repository, source: from, options, log });
      return importer.run();
    },
    state: () => importer?.state() ?? null,
    dump: () =>
      JSON.stringify({ units, books }, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)),
  };
}
