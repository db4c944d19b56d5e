import { isIP } from 'node:net';
import { list, parseRanges, parseRatio, parseTrustProxy } from './config-texts.ts';
import type { Variables } from './config-variables.ts';
import { readLiveSources } from './live-sources.ts';
import { parseStatusTokens } from './status/manage/tokens.ts';
import { parseThresholds } from './status/monitor/thresholds.ts';
import { BUILT_IN_PARTS } from './status/rules/built-in-components.ts';
import { parseUpdateTexts } from './status/rules/default-texts.ts';
import { faultOfTemplate } from './status/rules/name-template.ts';
import { isTimeZone } from './status/rules/zoned-time.ts';
import { faultOfDatabaseUrl, IN_MEMORY } from './store/database-url.ts';
import { parseUtcInstant } from './values/utc-instant.ts';

const HIGHEST_PORT = 65_535;

/** What is wrong with values that have the right form each, and with several of them together. */
export function crossChecks(variables: Variables): string[] {
  const problems: string[] = [];
  const ports = [...variables.PORT.split(','), variables.STATUS_PORT].filter((port) => port !== '');
  if (ports.some((port) => Number(port) > HIGHEST_PORT))
    problems.push('PORT, STATUS_PORT: the highest port is 65535');
  if ((variables.STATUS_SMTP_URL === '') !== (variables.STATUS_MAIL_FROM === ''))
    problems.push('STATUS_SMTP_URL, STATUS_MAIL_FROM: set both or neither');
  const fixed = ports.filter((port) => Number(port) !== 0);
  if (new Set(fixed).size !== fixed.length) problems.push('PORT, STATUS_PORT: a port is listed twice');
  if (variables.MIRROR_LIMIT_DEFAULT > variables.MIRROR_LIMIT_MAX) {
    problems.push('MIRROR_LIMIT_DEFAULT: must not be above MIRROR_LIMIT_MAX');
  }
  const [start, end] = [variables.MIRROR_START, variables.MIRROR_END].map(parseUtcInstant);
  const isInstant = (text: string): boolean => text === '' || parseUtcInstant(text) !== null;
  if (!isInstant(variables.MIRROR_START) && !['genesis', 'now'].includes(variables.MIRROR_START)) {
    problems.push(
      `MIRROR_START: "${variables.MIRROR_START}" is not genesis, now or an instant such as 2024-01-31T00:00:00Z`,
    );
  }
  if (variables.MIRROR_START !== '' && variables.MIRROR_FIRST_BLOCK !== '') {
    problems.push(
      'MIRROR_FIRST_BLOCK: MIRROR_START also says where an empty ledger begins; unset one of them',
    );
  }
  if (!isInstant(variables.MIRROR_END)) {
    problems.push(`MIRROR_END: "${variables.MIRROR_END}" is not an instant such as 2024-01-31T00:00:00Z`);
  }
  if (start != null && end != null && start > end)
    problems.push('MIRROR_START: must not be after MIRROR_END');
  problems.push(...readLiveSources(variables).problems);
  const { STATUS_MIRROR_NAME: mirrorName, STATUS_NETWORK: network } = variables;
  const fault = mirrorName === '' ? null : faultOfTemplate(mirrorName);
  if (fault !== null) problems.push(`STATUS_MIRROR_NAME: ${fault}`);
  if (network === '' && mirrorName.includes('{network}')) {
    problems.push('STATUS_MIRROR_NAME: contains {network}, so STATUS_NETWORK must be set');
  }
  if (!isTimeZone(variables.STATUS_TIME_ZONE)) {
    problems.push(`STATUS_TIME_ZONE: "${variables.STATUS_TIME_ZONE}" is not an IANA time zone`);
  }
  parseStatusTokens(variables.STATUS_TOKENS, (problem) => problems.push(`STATUS_TOKENS: ${problem}`));
  parseUpdateTexts(variables.STATUS_UPDATE_TEXTS, (problem) =>
    problems.push(`STATUS_UPDATE_TEXTS: ${problem}`),
  );
  const probes = [...BUILT_IN_PARTS.map(({ component }) => component.probe), 'all'];
  for (const name of list(variables.STATUS_PROBES_OFF)) {
    if (probes.includes(name) || /^chain:[0-9]+$/.test(name)) continue;
    problems.push(`STATUS_PROBES_OFF: "${name}" is not one of ${probes.join(', ')}, chain:ID`);
  }
  parseThresholds(variables.STATUS_THRESHOLDS, (problem) => problems.push(`STATUS_THRESHOLDS: ${problem}`));
  // Not repeated in the message: another kind of address may hold a password.
  const databaseFault = faultOfDatabaseUrl(variables.DATABASE_URL);
  if (databaseFault !== null) problems.push(`DATABASE_URL: ${databaseFault}`);
  problems.push(...testApiFaults(variables));
  const proxies = parseTrustProxy(variables.TRUST_PROXY);
  for (const proxy of Array.isArray(proxies) ? (proxies as readonly string[]) : []) {
    if (!isNetwork(proxy))
      problems.push(`TRUST_PROXY: "${proxy}" is not an address or network such as 10.0.0.0/8`);
  }
  const [numerator, denominator] = parseRatio(variables.MIRROR_CONSENSUS_RATIO);
  if (numerator > denominator) problems.push('MIRROR_CONSENSUS_RATIO: must not be above 1');
  for (const [first, last] of parseRanges(variables.MIRROR_UNRELEASED_ACCOUNTS)) {
    if (first > last) problems.push(`MIRROR_UNRELEASED_ACCOUNTS: ${first}-${last} ends before it begins`);
  }
  return problems;
}

/** Nobody's ledger may be emptied by a test, and nobody from elsewhere may do it unless that is meant. */
function testApiFaults({ DATABASE_URL, HOST, LEDGERLENS_TEST_API: api, STATUS_PORT }: Variables): string[] {
  if (api === 'off') return [];
  const problems: string[] = [];
  if (DATABASE_URL !== IN_MEMORY.url) {
    problems.push(
      `LEDGERLENS_TEST_API: can erase the database, so it requires one in memory (DATABASE_URL=${IN_MEMORY.url})`,
    );
  }
  if (api === 'on' && !isLoopback(HOST)) {
    problems.push(
      `LEDGERLENS_TEST_API: anyone who reaches ${HOST || 'the server'} could erase its data; listen on loopback ` +
        '(HOST=127.0.0.1), or confirm it (LEDGERLENS_TEST_API=on-any-address)',
    );
  }
  if (STATUS_PORT !== '') problems.push('LEDGERLENS_TEST_API: cannot be used together with STATUS_PORT');
  return problems;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** An address, a network in prefix notation, or one of the names that the framework knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix = '32', ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) >= 1 &&
    Number(prefix) <= bits
  );
}
