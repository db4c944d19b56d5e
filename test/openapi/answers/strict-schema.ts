import type { OpenApiFile, Schema } from '../../support/openapi-document.ts';

/** A member that an object schema names. */
export interface NamedMember {
  readonly schema: Schema;
  readonly member: string;
}

export interface Judgement {
  /** What a strict reader would refuse, as `place: what`. */
  readonly faults: readonly string[];
  /** Members that are named and sent. */
  readonly seen: readonly NamedMember[];
}

/**
 * Compares a value with a schema as if every object that names members were closed: what is sent has to be named.
 *
 * @param without a member that counts as not named.
 */
export function judge(
  document: OpenApiFile,
  schema: Schema,
  value: unknown,
  without: NamedMember | null = null,
): Judgement {
  const faults: string[] = [];
  const seen: NamedMember[] = [];

  function visit(given: Schema, at: unknown, place: string): void {
    const here = follow(document, given);
    if (here.anyOf !== undefined) {
      visitChoice(here.anyOf, at, place);
      return;
    }
    const types = [here['type'] ?? []].flat() as string[];
    if (types.length > 0 && !types.some((type) => isOf(type, at))) {
      faults.push(`${place}: ${typeof at} is not ${types.join(' or ')}`);
      return;
    }
    const values = here['enum'] ?? ('const' in here ? [here['const']] : null);
    if (Array.isArray(values) && !values.includes(at)) faults.push(`${place}: ${String(at)} is not listed`);
    if (Array.isArray(at)) {
      const { items } = here;
      if (items !== undefined)
        for (const [index, each] of at.entries()) visit(items, each, `${place}[${index}]`);
    } else if (typeof at === 'object' && at !== null) visitObject(here, at as Record<string, unknown>, place);
  }

  function visitObject(here: Schema, at: Record<string, unknown>, place: string): void {
    const { additionalProperties: others, properties = {}, required = [] } = here;
    for (const name of required) if (!(name in at)) faults.push(`${place}.${name}: is missing`);
    for (const [name, value] of Object.entries(at)) {
      const named = without?.schema === here && without.member === name ? undefined : properties[name];
      if (named !== undefined) {
        seen.push({ schema: here, member: name });
        visit(named, value, `${place}.${name}`);
      } else if (typeof others === 'object') visit(others as Schema, value, `${place}.${name}`);
      else if (others !== true && here['type'] !== undefined) faults.push(`${place}.${name}: is not named`);
    }
  }

  function visitChoice(choices: readonly Schema[], at: unknown, place: string): void {
    const judged = choices.map((choice) => judge(document, choice, at, without));
    const fitting = judged.find((each) => each.faults.length === 0);
    if (fitting !== undefined) seen.push(...fitting.seen);
    else faults.push(...(judged.at(0)?.faults ?? []).map((fault) => `${place}${fault}`));
  }

  visit(schema, value, '');
  return { faults, seen };
}

/** Every member that the schema names, at any depth; recursion ends at what was there already. */
export function namedMembers(
  document: OpenApiFile,
  schema: Schema,
  known = new Set<Schema>(),
): NamedMember[] {
  const here = follow(document, schema);
  if (known.has(here)) return [];
  known.add(here);
  const { additionalProperties: others, anyOf = [], items, properties = {} } = here;
  const below = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
  if (typeof others === 'object') below.push(others as Schema);
  return [
    ...Object.keys(properties).map((member) => ({ schema: here, member })),
    ...below.flatMap((each) => namedMembers(document, each, known)),
  ];
}

/** The schema itself, not a reference to it; always the same object. */
function follow(document: OpenApiFile, schema: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const found = document.components.schemas[$ref.slice('#/components/schemas/'.length)];
  if (found === undefined) throw new Error(`${$ref} leads nowhere`);
  return follow(document, found);
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
