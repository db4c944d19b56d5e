import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A part of a document. */
export interface Part {
  readonly [member: string]: unknown;
}

export interface Schema extends Part {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
}

export interface Media extends Part {
  readonly schema: Schema;
}

export interface Answer extends Part {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Parameter extends Part {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation extends Part {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface OpenApiFile extends Part {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** A document of `openapi/` as it is. */
export function readDocument(name: string): OpenApiFile {
  const file = fileURLToPath(new URL(`../../openapi/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApiFile;
}

/** The same with every reference replaced by what it leads to. */
export function readWholeDocument(name: string): OpenApiFile {
  const document = readDocument(name);
  return resolve(document, document) as OpenApiFile;
}

/** Every operation with its method in upper case. */
export function operationsOf({
  paths,
}: OpenApiFile): readonly (readonly [method: string, path: string, operation: Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );
}

function resolve(part: unknown, document: OpenApiFile): unknown {
  if (Array.isArray(part)) return part.map((each) => resolve(each, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as { readonly $ref?: unknown };
  if (typeof $ref === 'string') return resolve(partAt(document, $ref), document);
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, resolve(member, document)]));
}

function partAt(document: OpenApiFile, reference: string): unknown {
  const names = reference.split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => (at as Part | undefined)?.[name], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found;
}
