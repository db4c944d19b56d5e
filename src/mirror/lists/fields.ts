import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { Key, TimeRange } from '../list-schemas.ts';

/** A member of an answer: its schema in the API documents, and its JSON text; undefined leaves it out. */
export interface Field<Row> {
  readonly schema: TSchema;
  readonly json: (row: Row) => string | undefined;
}

/** Members by name, in the order of the answer. */
export type Fields<Row> = Readonly<Record<string, Field<Row>>>;

/** An object of an answer: declared once for the documents and for what is sent. */
export interface Item<Row> {
  readonly schema: TObject;
  readonly fields: Fields<Row>;
  readonly json: (row: Row) => string;
}

type Get<Row, Value> = (row: Row) => Value;

interface Kind<Value> {
  <Row>(of: Get<Row, Value>, description?: string): Field<Row>;
  readonly orNull: <Row>(of: Get<Row, Value | null>, description?: string) => Field<Row>;
}

const described = (description: string | undefined) => (description === undefined ? {} : { description });

/** @param json of a value; null where a stored value means none */
function kind<Value>(
  schema: (options: { readonly description?: string }) => TSchema,
  json: (value: Value) => string | null,
): Kind<Value> {
  const make = <Row>(of: Get<Row, Value>, description?: string): Field<Row> => ({
    schema: schema(described(description)),
    json: (row) => json(of(row)) ?? 'null',
  });
  const orNull = <Row>(of: Get<Row, Value | null>, description?: string): Field<Row> => ({
    schema: Type.Union([schema({}), Type.Null()], described(description)),
    json(row) {
      const value = of(row);
      return value === null ? 'null' : (json(value) ?? 'null');
    },
  });
  return Object.assign(make, { orNull });
}

const quoted = (text: string) => `"${text}"`;

export const integer = kind<bigint | number>((options) => Type.Integer(options), String);
export const flag = kind<boolean>((options) => Type.Boolean(options), String);
export const text = kind<string>((options) => Type.String(options), printExactJson);
/** Nanoseconds. */
export const time = kind<bigint>(
  (options) => Type.String(options),
  (value) => quoted(printTimestamp(value)),
);
export const id = Object.assign(
  kind<bigint>(
    (options) => Type.String(options),
    (value) => quoted(printEntityId(value)),
  ),
  {
    /** The all-zero id means none as well. @see contracts/mirror-entities.md section 1 */
    orNull: kind<bigint>(
      (options) => Type.String(options),
      (value) => (value === 0n ? null : quoted(printEntityId(value))),
    ).orNull,
  },
);
export const base64 = kind<Uint8Array>(
  (options) => Type.String({ description: 'Base64.', ...options }),
  (value) => quoted(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')),
);
/** With `0x`. */
export const hex = kind<Uint8Array>(
  (options) => Type.String(options),
  (value) => quoted(toHex(value)),
);
/** A serialized `Key`; the one that stands for none is null. */
export const key = kind<Uint8Array>(
  () => Key,
  (value) => {
    const shown = keyJson(value);
    return shown === null ? null : `{"_type":"${shown._type}","key":"${shown.key}"}`;
  },
).orNull;

/** One of a few names. */
export const word = <Row>(names: readonly string[], of: Get<Row, string>): Field<Row> => ({
  schema: Type.Unsafe<string>({ type: 'string', enum: [...names] }),
  json: (row) => quoted(of(row)),
});

/** Since when a row holds, which holds now. */
export const since = <Row>(of: Get<Row, bigint>): Field<Row> => ({
  schema: TimeRange,
  json: (row) => `{"from":"${printTimestamp(of(row))}","to":null}`,
});

/** What no kind describes. */
export const exact = <Row>(schema: TSchema, of: Get<Row, ExactJson>): Field<Row> => ({
  schema,
  json: (row) => printExactJson(of(row)),
});

/** Stored as it is sent. */
export const stored = <Row>(schema: TSchema, json: Get<Row, string>): Field<Row> => ({ schema, json });

/** A member that some answers do not have. */
export const optional = <Row>(schema: TSchema, of: Get<Row, ExactJson | undefined>): Field<Row> => ({
  schema: Type.Optional(schema),
  json(row) {
    const value = of(row);
    return value === undefined ? undefined : printExactJson(value);
  },
});

/** An object inside. */
export const nested = <Part>(item: Item<Part>): Kind<Part> =>
  kind<Part>(
    (options) => (Object.keys(options).length === 0 ? item.schema : { ...item.schema, ...options }),
    item.json,
  );

/** Objects inside. */
export const listOf = <Row, Part>(
  item: Item<Part>,
  of: Get<Row, readonly Part[]>,
  description?: string,
): Field<Row> => ({
  schema: Type.Array(item.schema, described(description)),
  json: (row) => jsonList(item, of(row)),
});

/** The text of a list of objects. */
export function jsonList<Row>({ json }: Item<Row>, rows: readonly Row[]): string {
  // Adding to one text takes half the time of joining lists.
  let text = '';
  for (const row of rows) text += text === '' ? json(row) : `,${json(row)}`;
  return `[${text}]`;
}

/** Prepares an object; a row is printed without looking at the declaration again. @param title in the API documents */
export function itemOf<Row>(fields: Fields<Row>, title?: string): Item<Row> {
  const members = Object.entries(fields).map(([name, { json }]) => ({ name: `"${name}":`, json }));
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    fields,
    schema: Type.Object(properties, title === undefined ? {} : { title }),
    json(row) {
      let text = '';
      for (const { json, name } of members) {
        const value = json(row);
        if (value !== undefined) text += (text === '' ? name : `,${name}`) + value;
      }
      return `{${text}}`;
    },
  };
}

/** The same members of a part of a row. */
export function fieldsOf<Row, Part>(fields: Fields<Part>, part: Get<Row, Part>): Fields<Row> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { json, schema }]) => [
      name,
      { schema, json: (row: Row) => json(part(row)) },
    ]),
  );
}
