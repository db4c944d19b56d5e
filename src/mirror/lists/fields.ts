import { setImmediate } from 'node:timers/promises';
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { Key, TimeRange } from '../list-schemas.ts';

/** A member of an answer: its schema in the API documents, and its JSON text; undefined leaves it out. */
export interface Field<Row, Shown = unknown> {
  readonly schema: TSchema;
  readonly json: (row: Row) => string | undefined;
  /** The same with other work in between, for what may be long. */
  readonly jsonInTurns?: (row: Row) => Promise<string>;
  /** In types alone: what the text is to who reads it, with bigint for integers. */
  readonly shown?: Shown;
}

/** Members by name, in the order of the answer. */
export type Fields<Row> = Readonly<Record<string, Field<Row>>>;

/** An object of an answer: declared once for the documents and for what is sent. */
export interface Item<Row, Shown = unknown> {
  readonly schema: TObject;
  readonly json: (row: Row) => string;
  /** The same with other work in between where a list in it is long. */
  readonly jsonInTurns: (row: Row) => string | Promise<string>;
  /** In types alone, as that of a field. */
  readonly shown?: Shown;
}

/** What a field or an object is to who reads it. */
export type ShownOf<Printed> = Printed extends { readonly shown?: infer Shown } ? Shown : never;

/** What JSON of a schema is to who reads it, with bigint for integers. */
export type ReadBy<Schema extends TSchema> = Exact<Static<Schema>>;

type Exact<Value> = Value extends number
  ? bigint
  : Value extends readonly (infer Each)[]
    ? readonly Exact<Each>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Exact<Value[Name]> }
      : Value;

type Get<Row, Value> = (row: Row) => Value;

interface Kind<Value, Shown> {
  <Row>(of: Get<Row, Value>, description?: string): Field<Row, Shown>;
  readonly orNull: <Row>(of: Get<Row, Value | null>, description?: string) => Field<Row, Shown | null>;
}

const described = (description: string | undefined) => (description === undefined ? {} : { description });

/** @param json of a value; null where a stored value means none */
function kind<Value, Shown = string>(
  schema: (options: { readonly description?: string }) => TSchema,
  json: (value: Value) => string | null,
): Kind<Value, Shown> {
  const make = <Row>(of: Get<Row, Value>, description?: string): Field<Row, Shown> => ({
    schema: schema(described(description)),
    json: (row) => json(of(row)) ?? 'null',
  });
  const orNull = <Row>(of: Get<Row, Value | null>, description?: string): Field<Row, Shown | null> => ({
    schema: Type.Union([schema({}), Type.Null()], described(description)),
    json(row) {
      const value = of(row);
      return value === null ? 'null' : (json(value) ?? 'null');
    },
  });
  return Object.assign(make, { orNull });
}

const quoted = (text: string) => `"${text}"`;

export const integer = kind<bigint | number, bigint>((options) => Type.Integer(options), String);
export const flag = kind<boolean, boolean>((options) => Type.Boolean(options), String);
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
export const key = kind<Uint8Array, ReadBy<typeof Key>>(
  () => Key,
  (value) => {
    const shown = keyJson(value);
    return shown === null ? null : `{"_type":"${shown._type}","key":"${shown.key}"}`;
  },
).orNull;

/** One of a few names. */
export const word = <Row>(names: readonly string[], of: Get<Row, string>): Field<Row, string> => ({
  schema: Type.Unsafe<string>({ type: 'string', enum: [...names] }),
  json: (row) => quoted(of(row)),
});

/** Since when a row holds, which holds now. */
export const since = <Row>(of: Get<Row, bigint>): Field<Row, ReadBy<typeof TimeRange>> => ({
  schema: TimeRange,
  json: (row) => `{"from":"${printTimestamp(of(row))}","to":null}`,
});

/** What no kind describes. */
export const exact = <Row, Schema extends TSchema>(
  schema: Schema,
  of: Get<Row, ExactJson>,
): Field<Row, ReadBy<Schema>> => ({
  schema,
  json: (row) => printExactJson(of(row)),
});

/** Stored as it is sent. */
export const stored = <Row, Schema extends TSchema>(
  schema: Schema,
  json: Get<Row, string>,
): Field<Row, ReadBy<Schema>> => ({ schema, json });

/** A member that some answers do not have. */
export const optional = <Row, Schema extends TSchema>(
  schema: Schema,
  of: Get<Row, ExactJson | undefined>,
): Field<Row, ReadBy<Schema> | undefined> => ({
  schema: Type.Optional(schema),
  json(row) {
    const value = of(row);
    return value === undefined ? undefined : printExactJson(value);
  },
});

/** An object inside. */
export const nested = <Part, Shown>(item: Item<Part, Shown>): Kind<Part, Shown> =>
  kind<Part, Shown>(
    (options) => (Object.keys(options).length === 0 ? item.schema : { ...item.schema, ...options }),
    item.json,
  );

/** Objects inside. */
export const listOf = <Row, Part, Shown>(
  item: Item<Part, Shown>,
  of: Get<Row, readonly Part[]>,
  description?: string,
): Field<Row, readonly Shown[]> => ({
  schema: Type.Array(item.schema, described(description)),
  json: (row) => jsonList(item, of(row)),
  async jsonInTurns(row) {
    const rows = of(row);
    let text = '';
    for (let start = 0; start < rows.length; start += ROWS_OF_A_TURN) {
      if (start > 0) await setImmediate();
      const list = jsonList(item, rows.slice(start, start + ROWS_OF_A_TURN)).slice(1, -1);
      text += start === 0 ? list : `,${list}`;
    }
    return `[${text}]`;
  },
});

/** Some milliseconds. */
const ROWS_OF_A_TURN = 500;

/** The text of a list of objects. */
export function jsonList<Row>({ json }: Pick<Item<Row>, 'json'>, rows: readonly Row[]): string {
  // Adding to one text takes half the time of joining lists.
  let text = '';
  for (const row of rows) text += text === '' ? json(row) : `,${json(row)}`;
  return `[${text}]`;
}

/** Prepares an object; a row is printed without looking at the declaration again. @param title in the API documents */
export const itemOf =
  <Row>() =>
  <Members extends Fields<Row>>(
    fields: Members,
    title?: string,
  ): Item<Row, { readonly [Name in keyof Members]: ShownOf<Members[Name]> }> => {
    const members = Object.entries(fields).map(([name, field]) => ({ ...field, name: `"${name}":` }));
    const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
    const json = (row: Row): string => {
      let text = '';
      for (const { json, name } of members) {
        const value = json(row);
        if (value !== undefined) text += (text === '' ? name : `,${name}`) + value;
      }
      return `{${text}}`;
    };
    const jsonInTurns = async (row: Row): Promise<string> => {
      let text = '';
      for (const { json, jsonInTurns, name } of members) {
        const value = jsonInTurns === undefined ? json(row) : await jsonInTurns(row);
        if (value !== undefined) text += (text === '' ? name : `,${name}`) + value;
      }
      return `{${text}}`;
    };
    return {
      schema: Type.Object(properties, title === undefined ? {} : { title }),
      json,
      jsonInTurns: members.some((member) => member.jsonInTurns !== undefined) ? jsonInTurns : json,
    };
  };
