import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTTP_SETTINGS, PROCESS_SETTINGS } from './config-variables.ts';
import { knownVariables, unreadableFiles, validated } from './given-variables.ts';
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

/** @param values of the right form; what is wrong with them is told. */
function readValid(values: VariableValues, environment: Environment, tell: (problem: string) => void) {
  const http = readSettings(HTTP_SETTINGS, values, tell);
  const all = readSettings(PROCESS_SETTINGS, values, tell);
  const verify = readSettings(VERIFY_SETTINGS, values, tell);
  const status = readSettings(STATUS_SETTINGS, values, tell);
  const mirror = readSettings(MIRROR_SETTINGS, values, tell);
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
  for (const problem of problems) tell(problem);
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
