import { Ajv } from 'ajv';
import { VARIABLES } from './config-variables.ts';
import type { VariableValues } from './settings/setting.ts';

/** Names beginning so belong to this product; an unknown one is a spelling mistake. */
const PREFIXES = ['VERIFY_', 'STATUS_', 'MIRROR_'];
const FILE_SUFFIX = '_FILE';

/** Files that are read only later, or only by some commands: what is wrong is told at once. */
export function unreadableFiles(
  values: VariableValues,
  readFile: (path: string) => string,
): readonly string[] {
  const files = Object.entries(VARIABLES).filter(([, form]) => form['x-file'] === true);
  return files.flatMap(([name]) => {
    const path = String(values[name]);
    if (path === '') return [];
    try {
      readFile(path);
      return [];
    } catch {
      return [`${name}: the file ${path} cannot be read`];
    }
  });
}

/** The variables that are given, from the environment or from files; adds what is unknown or unreadable to the problems. */
export function knownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '') continue;
    const base = name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : '';
    if (name in VARIABLES) {
      given[name] = value;
    } else if (base in VARIABLES && PREFIXES.some((prefix) => base.startsWith(prefix))) {
      try {
        given[base] = readFile(value).trim();
      } catch {
        problems.push(`${name}: the file ${value} cannot be read`);
      }
    } else if (PREFIXES.some((prefix) => name.startsWith(prefix))) {
      problems.push(`${name}: unknown variable${suggestion(name)}`);
    }
  }
  return given;
}

function suggestion(name: string): string {
  const near = nearName(name, Object.keys(VARIABLES));
  return near === null ? '' : `, did you mean ${near}?`;
}

const DEFAULTS = Object.fromEntries(Object.entries(VARIABLES).map(([name, form]) => [name, form.default]));

/** Values of the wrong form are named and replaced by their defaults, so that the other checks can continue. */
export function validated(
  given: Readonly<Record<string, string>>,
  problems: string[],
): { readonly values: VariableValues; readonly isValid: boolean } {
  // Checks run once, of a schema that is known to be one: compiling it whole takes a tenth of a start.
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    strict: false,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  const properties = Object.entries(VARIABLES).filter(([name]) => name in given);
  const check = ajv.compile({ type: 'object', properties: Object.fromEntries(properties) });
  // It converts the values in place.
  const read: Record<string, unknown> = { ...given };
  const isValid = check(read);
  const malformed = new Set((check.errors ?? []).map(({ instancePath }) => instancePath.slice(1)));
  for (const name of malformed) {
    problems.push(`${name}: ${shown(given[name])}${allowed(name)}`);
    delete read[name];
  }
  return { values: { ...DEFAULTS, ...read } as VariableValues, isValid };
}

function allowed(name: string): string {
  const form = VARIABLES[name];
  if (form?.enum !== undefined) return `must be one of ${form.enum.join(', ')}`;
  if (form?.type === 'integer') return `must be an integer from ${form.minimum} to ${form.maximum}`;
  return `is not ${form?.['x-form']}`;
}

/** Before its `@` an address may have a password, which nobody wants in a log. */
function shown(value: string | undefined): string {
  return value?.includes('@') === true
    ? 'the value, which may contain a password, '
    : `${JSON.stringify(value)} `;
}

/** More slips than these, and it is another name. */
const MOST_SLIPS = 3;

/** The known name that somebody meant who wrote another one; null when none is near. */
function nearName(name: string, known: readonly string[]): string | null {
  const begun = known.find((each) => each.startsWith(name) || name.startsWith(each));
  if (begun !== undefined) return begun;
  const [nearest] = known
    .map((each) => ({ each, slips: slipsBetween(each, name) }))
    .sort((one, other) => one.slips - other.slips);
  return nearest === undefined || nearest.slips > MOST_SLIPS ? null : nearest.each;
}

/** The fewest characters to insert, leave out or replace. */
function slipsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...left].entries()) {
    const next = [above + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
