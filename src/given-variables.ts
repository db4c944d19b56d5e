import { Ajv } from 'ajv';
import { VARIABLES, type Variables } from './config-variables.ts';
import { nearName } from './near-name.ts';
import { once } from './values/once.ts';

/** Names beginning so belong to this product; an unknown one is a spelling mistake. */
const PREFIXES = ['VERIFY_', 'STATUS_', 'MIRROR_'];
const FILE_SUFFIX = '_FILE';

/** Files that are read only later, or only by some commands: what is wrong is told at once. */
export function unreadableFiles(variables: Variables, readFile: (path: string) => string): readonly string[] {
  return (['MIRROR_ADDRESS_BOOK', 'MIRROR_FEE_SCHEDULE_FILE', 'STATUS_LOGO_FILE'] as const).flatMap(
    (name) => {
      if (variables[name] === '') return [];
      try {
        readFile(variables[name]);
        return [];
      } catch {
        return [`${name}: the file ${variables[name]} cannot be read`];
      }
    },
  );
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
    if (name in VARIABLES.properties) {
      given[name] = value;
    } else if (base in VARIABLES.properties && PREFIXES.some((prefix) => base.startsWith(prefix))) {
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
  const near = nearName(name, Object.keys(VARIABLES.properties));
  return near === null ? '' : `, did you mean ${near}?`;
}

const variablesCheck = once(() => {
  // Optimizing takes as long as compiling, for checks that run once.
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    strict: false,
    code: { optimize: false },
  });
  return { ajv, check: ajv.compile<Variables>(VARIABLES) };
});

/** Values of the wrong form are named and replaced by their defaults, so that the other checks can continue. */
export function validated(
  given: Readonly<Record<string, string>>,
  problems: string[],
): { readonly variables: Variables; readonly isValid: boolean } {
  const { ajv, check } = variablesCheck();
  // It converts and fills the values in place.
  const read: Record<string, unknown> = { ...given };
  if (check(read)) return { variables: read, isValid: true };
  const malformed = new Set((check.errors ?? []).map(({ instancePath }) => instancePath.slice(1)));
  for (const name of malformed) problems.push(`${name}: ${shown(given[name])}${allowed(name)}`);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !malformed.has(name)));
  if (!check(rest)) throw new Error(`the defaults are not valid: ${ajv.errorsText(check.errors)}`);
  return { variables: rest, isValid: false };
}

function allowed(name: string): string {
  const schema: Record<string, unknown> | undefined = (
    VARIABLES.properties as Record<string, Record<string, unknown>>
  )[name];
  if (schema?.['x-values'] !== undefined) {
    return `must be one of ${(schema['x-values'] as readonly string[]).join(', ')}`;
  }
  if (schema?.['type'] === 'integer') {
    return `must be an integer from ${schema['minimum']} to ${schema['maximum']}`;
  }
  return `is not ${schema?.['x-form']}`;
}

/** Before its `@` an address may have a password, which nobody wants in a log. */
function shown(value: string | undefined): string {
  return value?.includes('@') === true
    ? 'the value, which may hold a password, '
    : `${JSON.stringify(value)} `;
}
