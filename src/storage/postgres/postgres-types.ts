import pg from 'pg';

/** Types of PostgreSQL that columns and expressions of this product have, by their numbers. */
const OID = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, numeric: 1700 } as const;

type Parse = (text: string) => unknown;

const asBigInt: Parse = (text) => BigInt(text);
const bytes = pg.types.getTypeParser(OID.bytea) as Parse;

/** Conditions are 1 and 0, as in SQLite; sums of int64 are whole numbers of type numeric. */
const EXACT = parsers(asBigInt, (text) => (text === 't' ? 1n : 0n));
const NUMBERS = parsers(Number, (text) => (text === 't' ? 1 : 0));

/** How the columns of a result are read: integers as bigint or as numbers, `bytea` as Buffer, the rest as text. */
export function typesOf(isExact: boolean): pg.CustomTypesConfig {
  const known = isExact ? EXACT : NUMBERS;
  return { getTypeParser: ((oid: number) => known.get(oid) ?? fromText) as never };
}

function parsers(integer: Parse, condition: Parse): ReadonlyMap<number, Parse> {
  return new Map<number, Parse>([
    [OID.bool, condition],
    [OID.bytea, bytes],
    [OID.int2, integer],
    [OID.int4, integer],
    [OID.int8, integer],
    [OID.numeric, integer],
  ]);
}

const NUL = '\0';
/** Stands before the letter of what it escapes; itself it is doubled. */
const ESCAPE = '\ue0fe';
const ESCAPED = /[\0\ue0fe]/g;
const UNESCAPED = /\ue0fe([0\ue0fe])/g;

/** PostgreSQL refuses U+0000 in texts, which APIs and ledgers allow: it is stored as two characters. */
export function toText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replace(ESCAPED, (found) => (found === NUL ? `${ESCAPE}0` : ESCAPE + ESCAPE));
}

function fromText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(UNESCAPED, (_, found) => (found === '0' ? NUL : ESCAPE));
}
