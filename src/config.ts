import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { HTTP_SETTINGS, PROCESS_SETTINGS, VARIABLES } from './config-variables.ts';
import { readLiveSources } from './live-sources.ts';
import { MIRROR_SETTINGS } from './mirror/mirror-options.ts';
import { readServiceProbes } from './service-probes.ts';
import { readSettings, type VariableValues } from './settings/setting.ts';
import { STATUS_SETTINGS } from './status/status-options.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { type Environment, namesInHeaders } from './values/request-headers.ts';
import { secretsIn } from './values/secrets.ts';
import { problemsOfChains } from './verify/chain/chain-config.ts';
import { VERIFY_SETTINGS } from './verify/verify-options.ts';

/** The configuration of one process, read once at start. */
export type Config = ReturnType<typeof readValid>;

/**
 * Reads the configuration from environment variables; an empty variable counts as not given.
 *
 * A value may live in a file that `NAME_FILE` names (chains, secrets).
 *
 * @throws LedgerlensError `invalid_configuration`, listing every wrong or unknown variable.
 */
export function readConfig(
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = [];
  const given = knownVariables(environment, readFile, problems);
  const { values, isValid } = validated(given, problems);
  const config = readValid(values, environment, (problem) => problems.push(problem));
  problems.push(...unreadableFiles(values, readFile));
  if (!isValid || problems.length > 0) {
    throw new LedgerlensError(
      'invalid_configuration',
      `Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'All variables are listed in docs/configuration.md.',
      { details: { problems } },
    );
  }
  return deepFreeze(config);
}

/** @param values of the right form; what is wrong with them is reported. */
function readValid(values: VariableValues, environment: Environment, report: (problem: string) => void) {
  const http = readSettings(HTTP_SETTINGS, values, report);
  const all = readSettings(PROCESS_SETTINGS, values, report);
  const verify = readSettings(VERIFY_SETTINGS, values, report);
  const status = readSettings(STATUS_SETTINGS, values, report);
  const mirror = readSettings(MIRROR_SETTINGS, values, report);
  const services = readServiceProbes(status.servicesJson, environment);
  const live = readLiveSources(mirror);
  const problems = [
    ...problemsOfPorts(http.ports, status.port),
    ...((status.mail === null) === (status.mailFrom === null)
      ? []
      : ['STATUS_SMTP_URL, STATUS_MAIL_FROM: set both or neither']),
    ...problemsOfChains(verify.chainsJson, environment),
    ...services.problems,
    ...live.problems,
  ];
  for (const problem of problems) report(problem);
  const { folder } = all.database;
  const { ledgerId, proofEvery, proofGeneration } = mirror;
  return {
    ...all,
    http,
    /** What no log line may have. */
    secrets: secretsOf(values, environment),
    verify: {
      ...verify,
      compilerCacheDir: verify.compilerCacheDir ?? (folder === null ? null : join(folder, 'compilers')),
    },
    /** Services of others; their headers may hold secrets. */
    status: { ...status, services: services.probes },
    /** Sources over a network, in order of trust. */
    mirror: {
      ...mirror,
      live: live.sources,
      proofs: { ledgerId, every: proofEvery, ...proofGeneration },
    },
  } as const;
}

const HIGHEST_PORT = 65_535;

function problemsOfPorts(shared: readonly number[], ofStatus: number | null): readonly string[] {
  const ports = ofStatus === null ? shared : [...shared, ofStatus];
  const fixed = ports.filter((port) => port !== 0);
  return [
    ...(ports.some((port) => port > HIGHEST_PORT) ? ['PORT, STATUS_PORT: the highest port is 65535'] : []),
    ...(new Set(fixed).size === fixed.length ? [] : ['PORT, STATUS_PORT: a port is listed twice']),
  ];
}

/** Addresses that everybody may see. */
const PUBLIC = new Set([
  'PUBLIC_URL',
  'STATUS_URL',
  'VERIFY_COMPILER_LIST_URL',
  'VERIFY_REPO_URL',
  'VERIFY_UI_URL',
]);
/** Variables of the libraries that call buckets and databases. */
const SECRETS_OF_OTHERS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'PGPASSWORD'];

function secretsOf(values: VariableValues, environment: Environment): readonly string[] {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && !PUBLIC.has(name) ? [value] : [],
  );
  const named = [...SECRETS_OF_OTHERS, ...texts.flatMap(namesInHeaders)];
  return [
    ...texts.flatMap((text) => secretsIn(asJson(text) ?? text)),
    ...named.flatMap((name) => environment[name] ?? []).filter((each) => each !== environment['PGUSER']),
  ];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Most variables are plain text.
    return null;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

/** Names beginning so belong to this product; an unknown one is a spelling mistake. */
const PREFIXES = ['VERIFY_', 'STATUS_', 'MIRROR_'];
const FILE_SUFFIX = '_FILE';

/** Files that are read only later, or only by some commands: what is wrong is reported at once. */
function unreadableFiles(values: VariableValues, readFile: (path: string) => string): readonly string[] {
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
function knownVariables(
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
function validated(
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
const MAX_SLIPS = 3;

/** The known name that somebody meant who wrote another one; null when none is near. */
function nearName(name: string, known: readonly string[]): string | null {
  const begun = known.find((each) => each.startsWith(name) || name.startsWith(each));
  if (begun !== undefined) return begun;
  const [nearest] = known
    .map((each) => ({ each, slips: slipsBetween(each, name) }))
    .sort((one, other) => one.slips - other.slips);
  return nearest === undefined || nearest.slips > MAX_SLIPS ? null : nearest.each;
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
