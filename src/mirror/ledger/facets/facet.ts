import type { EntityId } from '../../../values/entity-id.ts';
import type { RowTable } from '../../../values/row-table.ts';
import { type Columns, eventTable, type Table } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import type { FixtureHome, FixtureObject } from '../../items/fixture-members.ts';
import type { ResolveAlias } from '../../items/ledger-ids.ts';
import type { NetworkVersion } from '../../items/network-version.ts';
import type { SidecarRecords } from '../../items/sidecar-record.ts';
import type { StateFold } from '../fold/fold-state.ts';
import type { EntityAlias, EntityChange, FacetRows, LedgerTransaction, LedgerUnit } from '../rows.ts';
import type { EvmOrder } from './evm-order.ts';

/** The items of a unit while they are decoded. */
export interface DecodedUnit {
  /** In their order. */
  readonly items: readonly DecodedItem[];
  /** What was made of each of them. */
  readonly transactions: readonly LedgerTransaction[];
  /** Whether an item and its parent succeeded. */
  readonly isSuccessful: (item: DecodedItem) => boolean;
  /** What sidecars tell of them. */
  readonly sidecars: SidecarRecords;
  /** By what is known after the unit. */
  readonly resolve: ResolveAlias;
  /** By what was known at an item. */
  readonly resolveAt: (item: DecodedItem) => ResolveAlias;
  /** That was told of an entity; null where it has only the one made of its number. */
  readonly evmAddress: (entity: EntityId) => Uint8Array | null;
  /** Of the network's API that made it. */
  readonly version: NetworkVersion;
  readonly evm: EvmOrder;
  readonly note: Note;
}

/** Takes what was left out and why, for the log: each text is told once. */
export type Note = (text: string) => void;

/** Rows of a facet, with the entities that they tell of. */
export interface FacetOutput<Row> {
  readonly rows: readonly Row[];
  readonly entities?: readonly EntityAlias[];
}

/** What a line tells: also settings of an entity, and rows of other facets. */
export interface FixtureRow<Row> extends FacetOutput<Row> {
  readonly entityChanges?: readonly EntityChange[];
  readonly others?: Partial<FacetRows>;
}

/** Makes rows of the successful items of some types. */
export interface ItemDecoder<Row> {
  /** Field numbers of the `TransactionBody.data` oneof. */
  readonly types: readonly number[];
  readonly rows: (item: DecodedItem, resolve: ResolveAlias, note: Note) => readonly Row[];
}

/** What a line of a fixture may ask. */
export interface FixtureContext {
  readonly home: FixtureHome;
  /** Those of the lines before, or of all when the kind is read last; ascending. */
  readonly transactions: readonly LedgerTransaction[];
  /** Whose EVM address it is by these lines; null when they do not tell. */
  readonly entityOf: (address: Uint8Array) => EntityId | null;
}

/** Where a row stands among its kind. */
export interface FixturePlace<Row> {
  /** Of the line, that tell the place. */
  readonly members: readonly string[];
  of(row: Row): readonly bigint[];
}

/** A kind of line of an NDJSON fixture. @see contracts/streams.md section 10.1 */
interface FixtureKind<Row> {
  readonly kind: string;
  /** Whether it is read after all lines of other kinds. Default false. */
  readonly isReadLast?: boolean;
  /** For rows that follow each other in a ledger, and of which there is one in each place. */
  readonly place?: FixturePlace<Row>;
  /** @throws FixtureFault */
  readonly read: (line: FixtureObject, context: FixtureContext) => FixtureRow<Row>;
}

/** Rows that are inserted with each transaction that is new, and removed with it. */
export interface TransactionTable {
  /** Its key begins with `consensus_ts`, by which the rows are removed. */
  readonly table: Table;
  readonly addRows: (transaction: LedgerTransaction, add: (row: Columns) => void) => void;
}

/**
 * Rows that a unit tells of its transactions: stored with the unit, written anew with it, and removed with the
 * transactions of their time.
 */
export interface UnitTable {
  /** It has a column `consensus_ts`, which finds its rows. */
  readonly table: Table;
  readonly addRows: (unit: LedgerUnit, add: (row: Columns) => void) => void;
}

/** The rows of a member of units, each stored by itself. @param columns of a row */
export const rowsOfUnits = <Name extends keyof FacetRows>(
  name: Name,
  table: Table,
  columns: (row: RowOf<Name>) => Columns,
): UnitTable => ({
  table,
  addRows(unit, add) {
    for (const row of unit[name]) add(columns(row));
  },
});

type RowOf<Name extends keyof FacetRows> = FacetRows[Name][number];

/** The same where each is an event, with the columns of its declaration. */
export const eventsOfUnits = <Name extends keyof FacetRows>(
  name: Name,
  table: string,
  keyLength: number,
  { columns, values }: Pick<RowTable<RowOf<Name>>, 'columns' | 'values'>,
): UnitTable => rowsOfUnits(name, eventTable(table, keyLength, columns), values);

/**
 * One kind of rows: how it is decoded, what a fixture tells of it, which rows it folds and how it is rebuilt.
 *
 * A facet has what it needs of this, and stands in the table of `ledger-facets.ts`.
 *
 * @see docs/adr/0017-ledger-state-is-a-fold.md
 */
export interface Facet<Name extends string = keyof FacetRows, Row = unknown> extends Partial<StateFold> {
  /** The member of a unit that holds what was decoded; without one, rows follow from the transactions. */
  readonly name?: Name;
  readonly decode?: ItemDecoder<Row>;
  /** For rows that need the items around theirs. */
  readonly decodeUnit?: (unit: DecodedUnit) => FacetOutput<Row>;
  readonly fixture?: FixtureKind<Row>;
  readonly transactionTables?: readonly TransactionTable[];
  readonly unitTables?: readonly UnitTable[];
  /**
   * Tables of folded rows that tell of a transaction and go with it when retention deletes it; a column
   * `consensus_ts` with an index finds them. A rebuild replaces them with the state.
   */
  readonly retired?: readonly string[];
}
