import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { sharedPath } from '../shared-data.ts';

interface Schema {
  readonly [member: string]: unknown;
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const listOf = (name: string): Schema => ({ type: 'array', items: ref(name) });
const count = { type: 'integer', minimum: 0 };

const closed = (properties: Readonly<Record<string, unknown>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const uptimeDay = closed({
  date: { type: 'string', format: 'date' },
  status: {
    enum: [
      'operational',
      'under_maintenance',
      'degraded_performance',
      'partial_outage',
      'major_outage',
      null,
    ],
  },
  major_outage: count,
  partial_outage: count,
  degraded_performance: count,
  under_maintenance: count,
});

const uptime = {
  range_start: ref('date'),
  range_end: ref('date'),
  components: {
    type: 'array',
    items: closed({
      id: ref('id'),
      name: { type: 'string' },
      uptime_percentage: { type: 'number', minimum: 0, maximum: 100 },
      days: { type: 'array', items: uptimeDay },
    }),
  },
};

/** Members of each document besides `page`; the key is its path below `/api/v2`, for single ones without the id. */
const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'status.json': { status: ref('status') },
  'components.json': { components: listOf('component') },
  'components/': { component: ref('component') },
  'incidents.json': { incidents: listOf('pastIncident') },
  'incidents/unresolved.json': { incidents: listOf('incident') },
  'incidents/': { incident: { oneOf: [ref('pastIncident'), ref('pastMaintenance')] } },
  'scheduled-maintenances.json': { scheduled_maintenances: listOf('pastMaintenance') },
  'scheduled-maintenances/upcoming.json': { scheduled_maintenances: listOf('maintenance') },
  'scheduled-maintenances/active.json': { scheduled_maintenances: listOf('maintenance') },
  'uptime.json': uptime,
};

/**
 * What each answer of the public API must be, made of the definitions of the strict schema of the summary.
 *
 * The summary holds what is open, so its schema knows no state that ends an incident; other documents do.
 *
 * @see contracts/data/summary.strict.schema.json, contracts/status.md section 2
 */
export function strictStatusSchemas(): ReadonlyMap<string, ValidateFunction> {
  const path = sharedPath('contracts', 'data', 'summary.strict.schema.json');
  const { $id: _, ...summary } = JSON.parse(readFileSync(path, 'utf8')) as Schema & {
    readonly $defs: Readonly<Record<string, Schema & { readonly properties: Schema }>>;
  };
  const alsoPast = (name: string, states: readonly string[]) => {
    const of = summary.$defs[name];
    const open = of?.properties['status'] as { readonly enum: readonly string[] } | undefined;
    if (of === undefined || open === undefined) throw new Error(`The strict schema defines no ${name}`);
    return { ...of, properties: { ...of.properties, status: { enum: [...open.enum, ...states] } } };
  };
  const $defs = {
    ...summary.$defs,
    pastIncident: alsoPast('incident', ['resolved', 'postmortem']),
    pastMaintenance: alsoPast('maintenance', ['completed']),
  };
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const others = Object.entries(DOCUMENTS).map(
    ([name, members]) =>
      [name, ajv.compile({ ...closed({ page: ref('page'), ...members }), $defs })] as const,
  );
  return new Map([['summary.json', ajv.compile(summary)], ...others]);
}
