import { withoutEnding } from '../values/without-ending.ts';

/** What the reader of a value may need besides it. */
export interface Reading {
  /** All variables by name, those that are not given by their default. */
  readonly values: VariableValues;
  /** Takes what is wrong, as text that follows the name of the variable. */
  report(problem: string): void;
}

/** Values of the right form, not read yet. */
export type VariableValues = Readonly<Record<string, string | number>>;

/** What is promised of a value: a JSON schema, of which messages and documents are printed, too. */
interface Form {
  readonly default: string | number;
  /** One sentence. */
  readonly description: string;
  readonly type?: 'string' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** What is allowed, in words that follow "is not". */
  readonly 'x-form'?: string;
  /** Whether it names a file that must be there. */
  readonly 'x-file'?: true;
}

/** One environment variable, and what the configuration has in its place. */
interface Setting<Value> {
  readonly name: string;
  readonly form: Form;
  readonly read: (given: never, reading: Reading) => Value;
}

/** Settings by the name that they have in the configuration. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The configuration that settings give. */
export type ValuesOf<T extends Settings> = {
  readonly [Name in keyof T]: T[Name] extends Setting<infer Value> ? Value : never;
};

/** Reads all settings of a table. @param onProblem takes what is wrong; the rest still counts. */
export function readSettings<T extends Settings>(
  settings: T,
  values: VariableValues,
  onProblem: (problem: string) => void,
): ValuesOf<T> {
  const read = Object.entries(settings).map(([member, { name, read }]) => [
    member,
    read(values[name] as never, { values, report: (problem) => onProblem(`${name}: ${problem}`) }),
  ]);
  return Object.fromEntries(read) as ValuesOf<T>;
}

type Read<Given, Value> = (given: Given, reading: Reading) => Value;

/** A setting that still lacks its sentence. */
interface Undescribed<Value> {
  describe(description: string): Setting<Value>;
}

function setting<Given, Value>(
  name: string,
  form: Omit<Form, 'description'>,
  read: Read<Given, Value>,
): Undescribed<Value> {
  return { describe: (description) => ({ name, form: { ...form, description }, read }) };
}

/** A text of a form of its own. */
export function formed<Value>(
  name: string,
  form: Partial<Omit<Form, 'description'>>,
  read: Read<string, Value>,
): Undescribed<Value> {
  return setting(name, { default: '', type: 'string', ...form }, read);
}

/** A text as it is given. */
export function text(name: string, value = ''): Undescribed<string> {
  return formed(name, { default: value }, (given) => given);
}

/** A text; null for an empty one. */
export function optionalText(name: string): Undescribed<string | null> {
  return formed(name, {}, orNull);
}

/** The path of a file that must be there; null for none. */
export function file(name: string): Undescribed<string | null> {
  return formed(name, { 'x-file': true }, orNull);
}

/** Texts between commas. */
export function texts(name: string): Undescribed<readonly string[]> {
  return formed(name, {}, list);
}

/** An address without a slash at its end; null for none. */
export function address(name: string): Undescribed<string | null> {
  const form = {
    pattern: '^(https?://[^\\s?#]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ? and #',
  };
  return formed(name, form, withoutSlash);
}

/** The same of somebody else, where credentials would be lost. */
export function plainAddress(name: string, read = withoutSlash): Undescribed<string | null> {
  const form = {
    pattern: '^(https?://[^\\s?#@]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ?, # and credentials',
  };
  return formed(name, form, read);
}

export function oneOf<const T extends readonly string[]>(
  name: string,
  allowed: T,
  value: T[number],
): Undescribed<T[number]> {
  return formed(name, { default: value, enum: allowed }, (given) => given as T[number]);
}

/** `on` or `off`. */
export function flag(name: string, value: 'on' | 'off'): Undescribed<boolean> {
  return formed(name, { default: value, enum: ['on', 'off'] }, (given) => given === 'on');
}

/** An integer, within bounds that it may reach. */
export function count<Value = number>(
  name: string,
  value: number,
  [minimum, maximum]: readonly [number, number],
  read: Read<number, Value> = (given) => given as Value,
): Undescribed<Value> {
  return setting(name, { type: 'integer', default: value, minimum, maximum }, read);
}

/** Whole seconds, read as milliseconds. */
export function seconds(name: string, value: number, bounds: readonly [number, number]): Undescribed<number> {
  return count(name, value, bounds, (given) => given * 1000);
}

/** For {@link count}: 0 says that there is none. */
export function unlessZero(value: number): number | null {
  return value === 0 ? null : value;
}

export function orNull(value: string): string | null {
  return value === '' ? null : value;
}

/** Parts between commas, without those that are empty. */
export function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function withoutSlash(url: string): string | null {
  return orNull(withoutEnding(url, '/'));
}
