import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId, entityId, parseEntityId } from '../../../../src/values/entity-id.ts';

/** A row as the case files write it, parsed with bigint for every integer. */
export type CaseRow = Readonly<Record<string, unknown>>;

/** The sections of `setup`; missing ones are empty. */
export type CaseSetup = Readonly<Record<string, unknown>>;

const HEX_TEXT = /^(?:0x)?[0-9A-Fa-f]+$/;

export function section(setup: CaseSetup, name: string): readonly CaseRow[] {
  const rows = setup[name];
  return Array.isArray(rows) ? rows : [];
}

/** Hex when the text is hex (odd lengths get a zero in front), else base64. */
export function bytesOf(value: string): Uint8Array {
  if (!HEX_TEXT.test(value)) return Buffer.from(value, 'base64');
  const digits = value.replace(/^0x/, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

export function toInteger(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  const written = String(value);
  return parseEntityId(written) ?? BigInt(written);
}

export function integerOrNull(row: CaseRow, name: string, absent: bigint | null): bigint | null {
  const value = row[name];
  return value === undefined ? absent : value === null ? null : toInteger(value);
}

/** @throws Error when the section demands the member and it is missing. */
export function integer(row: CaseRow, name: string, absent?: bigint): bigint {
  const value = integerOrNull(row, name, absent ?? null);
  if (value === null) throw new Error(`A case row lacks ${name}`);
  return value;
}

export function id(row: CaseRow, name: string, absent?: bigint): EntityId {
  return entityId(integer(row, name, absent));
}

/** The id of a number in a realm of its own member, by default 0. */
export function numberedId(row: CaseRow, num: string, realm: string): EntityId {
  const found = encodeEntityId(0n, integer(row, realm, 0n), integer(row, num));
  if (found === null) throw new Error(`A case row has a ${num} out of range`);
  return found;
}

export function idOrNull(row: CaseRow, name: string): EntityId | null {
  const value = integerOrNull(row, name, null);
  return value === null ? null : entityId(value);
}

export function timeOrNull(row: CaseRow, name: string) {
  const value = integerOrNull(row, name, null);
  return value === null ? null : consensusTimestamp(value);
}

export function text(row: CaseRow, name: string, absent: string | null): string | null {
  const value = row[name];
  return value === undefined ? absent : value === null ? null : String(value);
}

export function list(row: CaseRow, name: string): readonly unknown[] {
  const value = row[name];
  return Array.isArray(value) ? value : [];
}

export function rows(row: CaseRow, name: string): readonly CaseRow[] {
  return list(row, name) as readonly CaseRow[];
}

export function object(row: CaseRow, name: string): CaseRow {
  const value = row[name];
  return typeof value === 'object' && value !== null ? (value as CaseRow) : {};
}

export function groupBy(
  all: readonly CaseRow[],
  key: (row: CaseRow) => bigint,
): ReadonlyMap<bigint, readonly CaseRow[]> {
  const groups = new Map<bigint, CaseRow[]>();
  for (const row of all) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}

const RANGE = /^\[(\d+),(\d*)\)$/;

/** `timestamp_range`, such as `[5,)` or `[5,9)`: the end is exclusive, and null while the row is the current one. */
export function timeRange(
  row: CaseRow,
  absent: bigint,
): { readonly lower: bigint; readonly upper: bigint | null } {
  const written = text(row, 'timestamp_range', null);
  if (written === null) return { lower: absent, upper: null };
  const [, lower = '', upper = ''] = RANGE.exec(written.replaceAll(' ', '')) ?? [];
  if (lower === '') throw new Error(`A case row has the range ${written}`);
  return { lower: BigInt(lower), upper: upper === '' ? null : BigInt(upper) };
}
