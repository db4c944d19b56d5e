import type { Area } from '../http/area.ts';
import { type BodyIntake, createBodyIntake } from '../http/bodies/body-intake.ts';
import { ROOT_SITE } from '../pages/site/site-page.ts';
import { type Announcements, NO_ANNOUNCEMENTS } from '../values/announcements.ts';
import { type Clock, nanosNow } from '../values/clock.ts';
import { NANOS_PER_SECOND, printTimestamp } from '../values/consensus-timestamp.ts';
import { latest } from '../values/latest.ts';
import { mapMaybe } from '../values/map-maybe.ts';
import { createContracts, createLogSource } from './create-contracts.ts';
import { declaredEndpoints, type EndpointContext } from './endpoints.ts';
import { mirrorErrorMapper } from './errors.ts';
import { createFees } from './fees/index.ts';
import type { FirstImport } from './ingest/report/ingest-state.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { type LedgerRepository, withCommitUnit } from './ledger/ledger-repository.ts';
import { describeMissingSidecars, NONE_MISSING } from './ledger/sidecars.ts';
import { describeGap } from './ledger/upkeep/ledger-gaps.ts';
import { describeDerivation } from './ledger/upkeep/ledger-report.ts';
import { createEdition, createWatermark } from './ledger/watermark.ts';
import type { MirrorOptions } from './mirror-options.ts';
import type { MirrorStore } from './mirror-store.ts';
import { createNetwork } from './network/index.ts';
import { systemFile } from './network/network-service.ts';
import { createLedgerQuestions } from './pages/ask/ledger-questions.ts';
import { createShownKinds } from './pages/parts/shown-kinds.ts';
import { ledgerPages } from './pages/routes.ts';
import type { EntityNames } from './parameters/entity-in-path.ts';
import { MIRROR_PATHS } from './paths.ts';
import { mirrorRoutes } from './routes.ts';
import { listChecks } from './transactions/list-parameters.ts';
import { createListRoute } from './transactions/list-route.ts';
import type { ListDependencies } from './transactions/list-transactions.ts';
import { transactionRoutes } from './transactions/routes.ts';
import { SYSTEM_FILE } from './vocabulary/system-files.ts';

interface MirrorDependencies {
  /** Stays open when the area closes. */
  readonly store: MirrorStore;
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
  /** Reads request bodies. Default: one of its own. */
  readonly bodies?: BodyIntake;
  /** One object per ledger source for the readiness answer. Default: none. */
  readonly ingest?: () => readonly Readonly<Record<string, unknown>>[];
  /** How far the import is that the server begins with; null when it is over. Default: there is none. */
  readonly importing?: () => FirstImport | null;
  /** What other servers on the database tell. Default: nothing. */
  readonly announcements?: Announcements;
  readonly options: MirrorOptions;
}

/** Area C with the parts that commands, imports and tests use. */
export type MirrorArea = ReturnType<typeof createMirrorArea>;

/**
 * Puts area C together: ledger storage, transactions, the network object and fee estimates.
 *
 * @throws InvalidFeeScheduleError when the operator's fee schedule cannot be used.
 */
export function createMirrorArea({
  announcements = NO_ANNOUNCEMENTS,
  bodies,
  clock,
  importing = () => null,
  ingest,
  log,
  options,
  store,
}: MirrorDependencies) {
  const {
    dialect,
    maxRepeatedParameters: maxRepeated,
    realm,
    shard,
    site = ROOT_SITE,
    tokensInLists,
  } = options;
  const home = { shard, realm };
  const page = {
    dialect,
    defaultLimit: options.limitDefault,
    maxLimit: options.limitMax,
    linkBase: options.linkBase ?? '',
  };
  const rangeSeconds = options.maxTransactionRangeSeconds;

  const reportScheduleFault = (err: unknown) =>
    log.warn({ err }, 'the fee schedule of the ledger is not used');
  const { contractCodes, entities, files, network, reader, transactions } = store;
  const edition = createEdition(reader, clock);
  const watermark = createWatermark(reader, clock);
  const kept = createKeptAnswers({
    stamp: () => reader.stamp(),
    watermark,
    changed: edition.forget,
    root: site.root,
  });
  const forget = () => {
    watermark.forget();
    edition.forget();
    kept.forget();
  };
  const scheduleFileId = systemFile(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE, home);
  const fees = createFees({
    files,
    state: store.feeState,
    clock,
    scheduleFilePath: options.feeScheduleFile,
    ...(bodies === undefined ? {} : { bodies }),
    bodyLimitBytes: options.feeBodyLimit,
    scheduleFileId,
    rateFileId: systemFile(SYSTEM_FILE.EXCHANGE_RATES, home),
    // As on the pages: a ledger that ended long ago is priced as of its end.
    rateTime: () =>
      mapMaybe(reader.newestConsensusEnd(), (end) => (end ?? nanosNow(clock)) / NANOS_PER_SECOND),
    reportFault: reportScheduleFault,
  });
  const commitUnits: LedgerRepository['commitUnits'] = async (units) => {
    const outcomes = await store.ledger.commitUnits(units);
    forget();
    const isSchedule = ({ file }: { readonly file: bigint }) => file === scheduleFileId;
    // Estimates follow at once; another process's import is seen at the next look.
    if (units.some((unit, index) => outcomes[index] === 'stored' && unit.filePieces.some(isSchedule))) {
      await fees.schedules.refresh().catch(reportScheduleFault);
    }
    return outcomes;
  };
  const ledger = withCommitUnit({ ...store.ledger, commitUnits });
  const names: EntityNames = {
    home,
    resolveAddress: (hex) => reader.entityByEvmAddress(hex),
    resolveAlias: (alias) => entities.byAlias(alias),
    isKnown: async (id) => (await entities.find(id)) !== null,
  };
  const list: ListDependencies = {
    transactions,
    clock,
    resolveAddress: names.resolveAddress,
    settings: { ...page, maxRepeated, home },
    maxRangeNanos: rangeSeconds === null ? null : BigInt(rangeSeconds) * NANOS_PER_SECOND,
  };
  const shared = { names, page, maxRepeated, kept };
  const acceptedGaps = latest(() => store.gaps.accepted(), []);
  const derivation = latest(() => store.report.derivation(), 'current');
  const missingSidecars = latest(() => reader.missingSidecars(), NONE_MISSING);
  const listRoute = createListRoute(list, kept, edition);
  const transaction = { transactions, clock, maxRepeated };
  const networkParts = createNetwork({
    network,
    files,
    clock,
    home,
    shared,
    currencyFormat: options.currencyFormat,
    unreleasedAccounts: options.unreleasedAccounts,
    answersEarliest: options.earliestValue,
    initialGasPrice: fees.initialGasPrice,
    edition: async () => `${await edition()} ${await watermark()}`,
    maxFileAttempts: options.maxFileAttempts,
    maxRepeated,
    ...(dialect === 'hiero' ? { newestConsensusEnd: () => reader.newestConsensusEnd() } : {}),
  });
  const contracts = createContracts({
    store,
    clock,
    shared,
    gasPriceAt: networkParts.gasPriceAt,
    maxRangeNanos: list.maxRangeNanos,
    chainId: options.chainId,
    showsSynthetic: options.showsSyntheticResults,
    decode: options.decode ?? (async (requests) => requests.map(() => null)),
  });
  const context: EndpointContext = {
    ...contracts,
    clock,
    list,
    transactionChecks: listChecks(list.settings),
    tokensInLists,
    tokensOfAccount: options.tokensOfAccount,
  };
  const routes = mirrorRoutes({
    watermark,
    root: site.root,
    features: [
      listRoute.routes,
      transactionRoutes(transaction),
      networkParts.routes,
      declaredEndpoints(context),
    ],
  });
  const pages = ledgerPages({
    fees: {
      bodies: bodies ?? createBodyIntake(),
      bodyLimitBytes: options.feeBodyLimit,
      schedules: fees.schedules,
      state: store.feeState,
      rateNow: fees.rateNow,
    },
    questions: createLedgerQuestions({
      context,
      list,
      network: networkParts.service,
      transaction,
    }),
    shownKinds: createShownKinds({
      entities,
      home,
      schedules: store.schedules,
      tokens: store.tokens,
      topics: store.topics,
    }),
    stamp: () => reader.stamp(),
    newestTime: () =>
      mapMaybe(reader.newestConsensusEnd(), (end) => (end === null ? null : printTimestamp(end))),
    clock,
    site,
    publicUrl: options.publicUrl ?? null,
    sourceStates: options.sourceStates ?? (async () => []),
  });

  let unsubscribe = () => {};
  const area = {
    name: 'mirror' as const,
    paths: MIRROR_PATHS,
    answerDirectly: (target, headers) =>
      listRoute.answerDirectly(target, headers) ?? kept.direct(() => kept.known(target), headers),
    routes: async (app) => {
      await app.register(routes);
      await app.register(fees.routes);
      await app.register(pages);
    },
    errors: mirrorErrorMapper,
    async start() {
      const lack = describeDerivation(await store.report.derivation());
      if (lack !== null) log.warn({}, lack);
      unsubscribe = announcements.on('ledger', forget);
    },
    async close() {
      unsubscribe();
    },
    readiness: () => ({
      ready: !options.isReadyAfterImport || importing() === null,
      members: {
        ...describeFirstImport(importing()),
        ingest: ingest?.() ?? [],
        acceptedGaps: acceptedGaps().map(describeGap),
        missingSidecars: describeMissingSidecars(missingSidecars()),
        rebuildWanted: describeDerivation(derivation()),
      },
    }),
  } satisfies Area;
  return {
    ...area,
    /** The write side, for imports. */
    ledger,
    files,
    /** Code of contracts, for what verifies them. */
    contractCodes,
    /** Logs of contracts, as EVM tools ask for them. */
    contractLogs: createLogSource(contracts),
    feeSchedules: fees.schedules,
    /** Version of the network's API in the newest unit, for example `0.66.0`; null when it does not tell. */
    networkVersion: latest(() => reader.networkVersion(), null),
    missingSidecars,
  };
}

/** Nothing when it is over. */
function describeFirstImport(importing: FirstImport | null): { readonly importing?: FirstImport } {
  return importing === null ? {} : { importing };
}
