import type { TSchema } from '@sinclair/typebox';
import {
  ComponentCallSchema,
  GroupCallSchema,
  IncidentCallSchema,
  PageCallSchema,
  SubscriberCallSchema,
  UpdateCallSchema,
} from '../../status/documents/managed-schemas.ts';
import type { MoreHelp } from '../command.ts';

const CALLS = {
  page: PageCallSchema,
  component: ComponentCallSchema,
  group: GroupCallSchema,
  incident: IncidentCallSchema,
  update: UpdateCallSchema,
  subscriber: SubscriberCallSchema,
} as const;

/** The members that a call takes, as its help shows them: how each is written, its values, what it means. */
export function describeMembers(noun: keyof typeof CALLS, verb: 'create' | 'update'): MoreHelp {
  const [call] = Object.values(CALLS[noun].properties) as readonly { properties: Record<string, TSchema> }[];
  const items = Object.entries(call?.properties ?? {}).map(
    ([name, schema]) => [writtenAs(name, schema), meaningOf(schema)] as const,
  );
  const example = `ledgerlens status ${verb} ${noun}${IDS[noun][verb]} ${EXAMPLES[noun]}`;
  return { heading: 'Members', items, example };
}

function meaningOf(schema: TSchema): string {
  return [valuesOf(schema), schema.description ?? ''].filter((text) => text !== '').join('. ');
}

const EXAMPLES: Readonly<Record<keyof typeof CALLS, string>> = {
  page: `name='My ledger'`,
  component: `name='Mirror API' description='REST API of the ledger'`,
  group: `name=APIs 'components[]=kctbh9vrtdwd'`,
  incident: `name='Slow answers' status=investigating 'components[kctbh9vrtdwd]=degraded_performance'`,
  update: `body='The disk is full.'`,
  subscriber: `endpoint=https://hooks.example.org/status email=ops@example.org`,
};

const NO_IDS = { create: '', update: '' };
const ONE_ID = { create: '', update: ' kctbh9vrtdwd' };
const IDS: Readonly<Record<keyof typeof CALLS, { readonly create: string; readonly update: string }>> = {
  page: NO_IDS,
  component: ONE_ID,
  group: ONE_ID,
  incident: ONE_ID,
  update: { create: '', update: ' p31zjtct2jer 9q4kyv6zc0ts' },
  subscriber: NO_IDS,
};

/** Lists and records are written as forms write them. */
function writtenAs(name: string, { type, additionalProperties, patternProperties }: TSchema): string {
  if (type === 'array') return `${name}[]=…`;
  if (patternProperties !== undefined) return `${name}[id]=…`;
  return type === 'object' && additionalProperties !== undefined ? `${name}[key][key]=…` : `${name}=…`;
}

function valuesOf(schema: TSchema): string {
  const { type, anyOf } = schema;
  const { enum: words } = schema as { readonly enum?: readonly string[] };
  if (words !== undefined) return words.map((word) => (word === '' ? '""' : word)).join(' | ');
  if (type === 'boolean') return 'true | false';
  const [inner] = (Object.values(schema['patternProperties'] ?? {}) as TSchema[]).concat(
    schema['items'] ?? [],
  );
  if (inner !== undefined) return valuesOf(inner);
  const forms: readonly TSchema[] = anyOf ?? [];
  return forms
    .map(valuesOf)
    .filter((text) => text !== '')
    .join(' | ');
}
