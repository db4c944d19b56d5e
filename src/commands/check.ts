import { existsSync } from 'node:fs';
import { type Config, readConfig } from '../config.ts';
import { countContracts } from '../mirror/contracts/contract-codes.sqlite.ts';
import { readLedgerContinuity } from '../mirror/ledger/ledger-continuity.sqlite.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import { parseDatabaseUrl } from '../storage/database-url.ts';
import { migrationState } from '../storage/migrations.ts';
import { openSqlite, type SqliteDatabase } from '../storage/sqlite.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { readChainId } from '../verify/index.ts';
import type { Invocation } from './command-table.ts';
import { createLogger } from './logger.ts';
import { renderTable } from './table.ts';

interface Finding {
  readonly part: string;
  readonly isRight: boolean;
  readonly detail: string;
}

/**
 * `ledgerlens check`: a table of what is right and what is not; nothing is changed.
 *
 * Exit code 1 when something is wrong.
 */
export async function execute({ env }: Invocation): Promise<number> {
  const findings = await examine(env);
  console.log(
    renderTable(findings.map(({ part, isRight, detail }) => [part, isRight ? 'ok' : 'WRONG', detail])),
  );
  return findings.every(({ isRight }) => isRight) ? 0 : 1;
}

async function examine(env: Invocation['env']): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [wrong('configuration', error)];
  }
  const findings: Finding[] = [right('configuration', `${config.http.host}:${config.http.ports.join(',')}`)];
  findings.push(...examineDatabase(config));
  // The areas are put together on an empty database: what is examined below does not depend on stored state.
  let services: Services;
  try {
    services = await createServices(
      { ...config, databaseUrl: 'sqlite::memory:' },
      systemDependencies(createLogger('silent')),
    );
  } catch (error) {
    return [...findings, wrong('areas', error)];
  }
  try {
    findings.push(await examineCompilers(services));
    for (const chain of services.verify.chains) {
      if (chain.ledger) findings.push(right(`chain ${chain.chainId}`, 'reads the imported ledger'));
      for (const { url, headers } of chain.rpc)
        findings.push(await examineEndpoint(chain.chainId, url, headers));
    }
  } finally {
    await services.close();
  }
  return findings;
}

function examineDatabase(config: Config): readonly Finding[] {
  const path = parseDatabaseUrl(config.databaseUrl);
  if (path === ':memory:') return [right('database', 'in memory')];
  if (!existsSync(path)) {
    return [
      { part: 'database', isRight: false, detail: `${path} does not exist; "ledgerlens migrate" makes it` },
    ];
  }
  try {
    const database = openSqlite(path, { readonly: true });
    try {
      const { from, to, pending } = migrationState(database);
      const integrity = database.pragma('quick_check', { simple: true }) as string;
      const isCurrent = from === to;
      const findings: Finding[] = [
        { part: 'database', isRight: integrity === 'ok', detail: `${path}, integrity ${integrity}` },
        {
          part: 'schema',
          isRight: isCurrent,
          detail: describeSchema(from, to, pending),
        },
      ];
      if (isCurrent) findings.push(examineLedger(database), describeContracts(database));
      return findings;
    } finally {
      database.close();
    }
  } catch (error) {
    return [wrong('database', error)];
  }
}

function describeSchema(from: number, to: number, pending: readonly string[]): string {
  if (from > to) return `version ${from}, this build knows ${to}; start a newer Ledgerlens`;
  return from === to ? `version ${from}` : `version ${from} of ${to}; missing: ${pending.join(', ')}`;
}

/** Units must follow each other: the previous hash of one is the hash of the one before. */
function examineLedger(database: SqliteDatabase): Finding {
  const { units, firstConsensus, lastConsensus, breaks } = readLedgerContinuity(database);
  if (breaks.length > 0) {
    return { part: 'ledger', isRight: false, detail: `the chain of hashes breaks at ${breaks.join(', ')}` };
  }
  if (firstConsensus === null || lastConsensus === null) return right('ledger', 'empty');
  return right(
    'ledger',
    `${units} units, ${printTimestamp(firstConsensus)} to ${printTimestamp(lastConsensus)}`,
  );
}

function describeContracts(database: SqliteDatabase): Finding {
  const { contracts, withRuntimeCode } = countContracts(database);
  return right('contracts', `${contracts} in the ledger, the code of ${withRuntimeCode} can be verified`);
}

async function examineCompilers(services: Services): Promise<Finding> {
  const { compilers, problems: known } = await services.verify.compilers.list();
  const problems = compilers.length === 0 ? [...known, 'none is installed; run "npm ci"'] : known;
  const versions = compilers
    .map(({ language, version }) => (language === 'solc' ? version : `${language} ${version}`))
    .join(', ');
  return { part: 'compilers', isRight: problems.length === 0, detail: [versions, ...problems].join('; ') };
}

const RPC_TIMEOUT_MS = 5000;

/** Asks the endpoint for its chain number; the address is shown without its path and query, which may hold keys. */
async function examineEndpoint(
  chainId: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Finding> {
  const part = `chain ${chainId}`;
  const shown = new URL(url).origin;
  try {
    const actual = await readChainId(fetch, { url, headers, timeoutMs: RPC_TIMEOUT_MS, trace: null });
    if (actual === null) return right(part, `${shown} answers, but does not tell its chain number`);
    if (actual === chainId) return right(part, `${shown} says its chain number is ${actual}`);
    return {
      part,
      isRight: false,
      detail: `${shown} says its chain number is ${actual}: verifications do not use it`,
    };
  } catch (error) {
    // A message of the network may repeat the address with the keys in it.
    const reason = (error as Error).message.replaceAll(url, shown);
    return { part, isRight: false, detail: `${shown} cannot be asked: ${reason}` };
  }
}

function right(part: string, detail: string): Finding {
  return { part, isRight: true, detail };
}

function wrong(part: string, error: unknown): Finding {
  return {
    part,
    isRight: false,
    detail: error instanceof LedgerlensError || error instanceof Error ? error.message : String(error),
  };
}
