import { type Config, readConfig } from '../config.ts';
import { configuredSources } from '../imports/configured-sources.ts';
import { type SourceTrial, trySource } from '../imports/try-source.ts';
import type { ContractCount } from '../mirror/contracts/contract-codes.ts';
import { systemPause } from '../mirror/ingest/pause.ts';
import { compareLedger } from '../mirror/ingest/rebuild/rebuild-ledger.ts';
import { readAddressBookFile } from '../mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../mirror/ingest/source/file-tree.ts';
import {
  describeDerivation,
  type LedgerContinuity,
  type LedgerDerivation,
} from '../mirror/ledger/upkeep/ledger-report.ts';
import type { MirrorStore } from '../mirror/mirror-store.ts';
import { createServices, type Services, systemDependencies } from '../services.ts';
import { type DatabaseLocation, IN_MEMORY, isInMemory } from '../store/database-url.ts';
import { backendOf, openStore } from '../store/open-store.ts';
import type { Examination } from '../store/store.ts';
import { systemClock } from '../values/clock.ts';
import { type ConsensusTimestamp, printTimestamp } from '../values/consensus-timestamp.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { readChainId } from '../verify/index.ts';
import type { Invocation } from './command.ts';
import { derivingLedger } from './derive-ledger.ts';
import { SILENT } from './logger.ts';
import { printFacts, renderTable } from './print-facts.ts';

interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * `ledgerlens check`: a table of what is right and what is not; nothing is changed.
 *
 * Exit code 1 when something is wrong.
 */
export async function execute({ env, values }: Invocation): Promise<number> {
  const findings = await examine(env, values['database'] === true);
  printFacts(values, findings, () =>
    renderTable(findings.map(({ part, ok, detail }) => [part, ok ? 'ok' : 'WRONG', detail])),
  );
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

async function examine(env: Invocation['env'], isWhole: boolean): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    const problems = error instanceof LedgerlensError ? error.details['problems'] : undefined;
    if (!Array.isArray(problems)) throw error;
    return problems.map((problem) => wrong('configuration', problem));
  }
  const findings: Finding[] = [right('configuration', `${config.http.host}:${config.http.ports.join(',')}`)];
  findings.push(...(await examineDatabase(config, isWhole)));
  // The areas are put together on an empty database: what is examined below does not depend on stored state.
  let services: Services;
  try {
    services = await createServices({ ...config, database: IN_MEMORY }, systemDependencies(SILENT));
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

async function examineDatabase(config: Config, isWhole: boolean): Promise<readonly Finding[]> {
  const { database, mirror } = config;
  if (isInMemory(database)) return [right('database', 'in memory'), ...(await trySources(config, null))];
  const missing = backendOf(database).missing(database);
  if (missing !== null) {
    const detail = `no database yet: ${missing}; the server or "ledgerlens migrate" creates it`;
    return [right('database', detail), ...(await trySources(config, null))];
  }
  try {
    return await backendOf(database).examine(
      database,
      async (found) => [
        ...(await describeDatabase(database, found, isWhole)),
        ...(await trySources(config, found.mirror)),
      ],
      mirror,
    );
  } catch (error) {
    return [wrong('database', error)];
  }
}

async function trySources(config: Config, stored: Examination['mirror']): Promise<readonly Finding[]> {
  const tried = await examineSources(config, stored);
  return tried.map(({ detail, ok, name }) => ({ part: `source ${name}`, ok, detail }));
}

async function describeDatabase(
  { path, url }: DatabaseLocation,
  { integrity, mirror, schema }: Examination,
  isWhole: boolean,
): Promise<readonly Finding[]> {
  const found = integrity(isWhole);
  const findings: readonly Finding[] = [
    { part: 'database', ok: found === 'ok', detail: `${path ?? url}, integrity ${found}` },
    { part: 'schema', ok: mirror !== null, detail: describeSchema(schema, mirror !== null) },
  ];
  if (mirror === null) return findings;
  return [
    ...findings,
    describeLedger(await mirror.report.continuity()),
    ...(isWhole ? await compareRows(mirror) : []),
    ...describeRebuild(await mirror.report.derivation()),
    describeContracts(await mirror.contractCodes.count()),
  ];
}

function describeSchema({ from, to, pending }: Examination['schema'], isUsable: boolean): string {
  if (from > to && isUsable)
    return `version ${from} of a newer Ledgerlens, which also supports this one (${to})`;
  if (from > to) return `version ${from}, this build supports ${to}; start a newer Ledgerlens`;
  return from === to ? `version ${from}` : `version ${from} of ${to}; missing: ${pending.join(', ')}`;
}

/** Units must follow each other: the previous hash of one is the hash of the one before. */
function describeLedger({
  units,
  firstConsensus,
  lastConsensus,
  breaks,
  unlinked,
}: LedgerContinuity): Finding {
  if (breaks.length > 0) {
    return { part: 'ledger', ok: false, detail: `the hash chain breaks at ${breaks.join(', ')}` };
  }
  if (firstConsensus === null || lastConsensus === null) return right('ledger', 'empty');
  const [first] = unlinked;
  const rest = first === undefined ? '' : `; not linked by root: ${unlinked.length}, the first at ${first}`;
  return right(
    'ledger',
    `${units} units, ${printTimestamp(firstConsensus)} to ${printTimestamp(lastConsensus)}${rest}`,
  );
}

/** Every stored row beside what the imported bytes give. */
async function compareRows(mirror: NonNullable<Examination['mirror']>): Promise<readonly Finding[]> {
  const part = 'ledger rows';
  try {
    const { differences, isOfState, left, transactions, units } = await derivingLedger(mirror, compareLedger);
    const compared = `${transactions} transactions of ${units} units${isOfState ? ', and the state,' : ''} compared with the imported bytes`;
    const rest = left > 0 ? `; ${left} units were not compared` : '';
    if (differences.length === 0) return [right(part, `${compared}${rest}`)];
    const remedy = 'restore a backup, or derive them anew with "ledgerlens ledger rebuild"';
    return differences.map(({ tables, unit }) =>
      wrong(
        part,
        `${unit ?? 'the state'} differs from the imported bytes in ${tables.join(', ')}; ${remedy}`,
      ),
    );
  } catch (error) {
    return [wrong(part, error)];
  }
}

/** Wrong as long as something can be done about it. */
function describeRebuild(derivation: LedgerDerivation): readonly Finding[] {
  const detail = describeDerivation(derivation);
  return detail === null ? [] : [{ part: 'ledger state', ok: derivation === 'older-for-good', detail }];
}

function describeContracts({ contracts, withRuntimeCode }: ContractCount): Finding {
  return right('contracts', `${contracts} in the ledger, ${withRuntimeCode} with known code`);
}

async function examineCompilers(services: Services): Promise<Finding> {
  const { compilers, problems: known } = await services.verify.compilers.list();
  const problems = compilers.length === 0 ? [...known, 'none is installed; run "npm ci"'] : known;
  const versions = compilers
    .map(({ language, version }) => (language === 'solc' ? version : `${language} ${version}`))
    .join(', ');
  return { part: 'compilers', ok: problems.length === 0, detail: [versions, ...problems].join('; ') };
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
    if (actual === null) return right(part, `${shown} responds but does not report its chain id`);
    if (actual === chainId) return right(part, `${shown} reports the chain id ${actual}`);
    return {
      part,
      ok: false,
      detail: `${shown} reports the chain id ${actual}: verifications do not use it`,
    };
  } catch (error) {
    // A message of the network may repeat the address with the keys in it.
    const reason = (error as Error).message.replaceAll(url, shown);
    return { part, ok: false, detail: `${shown} cannot be queried: ${reason}` };
  }
}

function right(part: string, detail: string): Finding {
  return { part, ok: true, detail };
}

function wrong(part: string, error: unknown): Finding {
  return {
    part,
    ok: false,
    detail: error instanceof LedgerlensError || error instanceof Error ? error.message : String(error),
  };
}

/** A source of the configuration, and what became of trying it. */
interface TriedSource extends SourceTrial {
  readonly name: string;
}

/** The last stored unit is read again: with the keys that it was checked with, not with those that it contains. */
function asOfItsUnits({
  ledger,
  registeredNodes,
}: Pick<MirrorStore, 'ledger' | 'registeredNodes'>): Pick<MirrorStore, 'ledger' | 'registeredNodes'> {
  const nodeKeysAt = (time: ConsensusTimestamp) => ledger.nodeKeysAt(time, true);
  return { ledger: { ...ledger, nodeKeysAt }, registeredNodes };
}

/**
 * Tries every source that the configuration names: lists it, reads one unit, verifies it.
 *
 * @param ledgerStore the operator's ledger; null while there is none
 */
async function examineSources(
  config: Config,
  ledgerStore: Pick<MirrorStore, 'ledger' | 'registeredNodes'> | null,
): Promise<readonly TriedSource[]> {
  const stored = ledgerStore === null ? null : asOfItsUnits(ledgerStore);
  const { addressBook, consensusRatio, proofs, realm, shard, start, verify } = config.mirror;
  const { importPaths, live, watchPaths } = config.mirror;
  if (importPaths.length + live.length + watchPaths.length === 0) return [];
  const tried: TriedSource[] = [];
  const empty = async () => openStore({ ...config, database: IN_MEMORY }, { log: SILENT, isServing: false });
  const first = await empty();
  try {
    for (const { isFolder, isOfRecords, name, use } of configuredSources(
      config.mirror,
      stored ?? first.mirror,
    )) {
      const end = (await stored?.ledger.chainEnd()) ?? null;
      if (isOfRecords && end?.isNative === true) {
        const detail = 'is no longer read: the ledger has switched to native blocks';
        tried.push({ name, ok: true, detail });
        continue;
      }
      const store = await empty();
      try {
        const trial = await use((source) =>
          trySource(source, {
            stored: stored?.ledger ?? null,
            empty: store.mirror,
            options: {
              verify,
              consensusRatio,
              proofs,
              shard,
              realm,
              start,
              addressBook:
                addressBook === null ? null : () => readAddressBookFile(systemFileTree, addressBook),
            },
            mayBeEmpty: isFolder,
            clock: systemClock,
            pause: systemPause,
          }),
        );
        tried.push({ name, ...trial });
      } catch (error) {
        if (!(error instanceof LedgerlensError)) throw error;
        tried.push({ name, ok: false, detail: error.message });
      } finally {
        await store.close();
      }
    }
    return tried;
  } finally {
    await first.close();
  }
}
