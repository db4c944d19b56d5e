import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { ListenerOptions } from '../http/area.ts';
import { type BodyIntake, createBodyIntake } from '../http/bodies/body-intake.ts';
import { DocumentCache } from '../pages/document-cache.ts';
import { siteNavigation } from '../pages/site/site-page.ts';
import type { Clock } from '../values/clock.ts';
import { type Repeat, type StartTimer, systemRepeat } from '../values/repetition.ts';
import { isStorageError } from '../values/storage-errors.ts';
import { createOnDemandDocuments } from './documents/on-demand-documents.ts';
import { PublishedDocuments } from './documents/published-documents.ts';
import { isSetUp, openPage, setUpChanges, withServerParts } from './edits/open-page.ts';
import { createStatusErrors } from './error-mapper.ts';
import { StatusNotFoundError } from './errors.ts';
import { createFeedRoutes } from './feeds/feed-routes.ts';
import { createManageRoutes } from './manage/manage-routes.ts';
import { createAuthenticate } from './manage/tokens.ts';
import { registerCacheMetrics, registerKeeperMetric } from './metrics.ts';
import type { AppliedChange } from './model/changes.ts';
import type { HealthProbe } from './monitor/health-probe.ts';
import { PageUpkeep } from './monitor/page-upkeep.ts';
import { UnstoredStatuses, withUnstored } from './monitor/unstored-statuses.ts';
import { createPageContents } from './page/page-content.ts';
import { readLogo } from './page/page-logo.ts';
import { createPageLook } from './page/page-look.ts';
import { createPageRoutes } from './page/page-routes.ts';
import { createUnsubscribeRoutes } from './page/unsubscribe-routes.ts';
import { STATUS_PATHS } from './paths.ts';
import { createDirectDocuments, createStatusRoutes } from './routes.ts';
import { BUILT_IN_PARTS, type ServerPart } from './rules/built-in-components.ts';
import { DEFAULT_TEXTS, type UpdateTexts } from './rules/default-texts.ts';
import { createObjectId, type RandomBytes } from './rules/object-id.ts';
import { createZonedTime } from './rules/zoned-time.ts';
import { createStatusService } from './service/create-status-service.ts';
import { createShortLinks } from './short-links.ts';
import type { StatusOptions } from './status-options.ts';
import type { StatusStore } from './status-store.ts';
import { repositoryOfKeeper } from './store/status-repository.ts';
import { queueOfKeeper } from './subscribers/delivery-queue.ts';
import { createSmtpMailer, type Mailer } from './subscribers/mail/mailer.ts';
import type { PostWebhook } from './subscribers/post-webhook.ts';
import { isUnsubscribeKey } from './subscribers/subscriber.ts';
import { createWebhooks } from './subscribers/webhooks.ts';

export { readFormMembers } from './manage/read-body.ts';
export { createStatusToken } from './manage/tokens.ts';
export { everyMinute, type HealthProbe, type ProbeSample, worstSample } from './monitor/health-probe.ts';
export { BUILT_IN_PARTS } from './rules/built-in-components.ts';
export { fillTemplate } from './rules/name-template.ts';
export type { StatusService } from './service/create-status-service.ts';
export type { StatusOptions } from './status-options.ts';

/** What the status area is made of. */
interface StatusDependencies {
  /** Stays open when the area closes. */
  readonly store: StatusStore;
  readonly clock: Clock;
  /** Makes ids: secure random bytes in the product. */
  readonly randomness: RandomBytes;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Reads request bodies. Default: one of its own. */
  readonly bodies?: BodyIntake;
  /** What measures the parts of the server, in the order of their components. Default none. */
  readonly probes?: readonly HealthProbe[];
  /** Where figures are registered. Default: nowhere. */
  readonly metrics?: Registry;
  /** Default: the timer of the operating system. */
  readonly repeat?: Repeat;
  /** Likewise. */
  readonly startTimer?: StartTimer;
  /** How subscribers are reached. Default: over the network. */
  readonly post?: PostWebhook;
  /** Default: over SMTP, as the options say. */
  readonly mailer?: Mailer;
  readonly options: StatusOptions;
}

/** Area B with what commands, tests and the monitor use directly. */
export type StatusArea = ReturnType<typeof createStatusArea>;

/**
 * Creates the status area: a page with components, incidents and maintenances, and its public API v2.
 *
 * @see contracts/status.md
 */
export function createStatusArea(dependencies: StatusDependencies) {
  const { store, clock, randomness, log, options, probes = [] } = dependencies;
  const repository = store.page;
  const unstored = new UnstoredStatuses();
  const shown = withUnstored(repository, unstored);
  const newId = () => createObjectId(randomness);
  const texts: UpdateTexts = { ...DEFAULT_TEXTS, ...options.updateTexts };
  const documents = new PublishedDocuments(shown, clock, (err) =>
    log.error({ err }, 'status page could not be checked for changes; serving the last known one'),
  );
  const { mail } = options;
  const mailer = dependencies.mailer ?? (mail === null ? null : createSmtpMailer(mail));
  const { keeping } = store;
  if (dependencies.metrics !== undefined) registerKeeperMetric(dependencies.metrics, keeping);
  const webhooks = createWebhooks({
    ...dependencies,
    repository,
    subscribers: store.subscribers,
    queue: queueOfKeeper(store.deliveries, keeping),
    allowsPrivate: options.webhookPrivate,
    mailer,
    mailDomain: /@([^\s>]+)/.exec(mail?.from ?? '')?.[1] ?? 'localhost',
    site: () => ({ apiUrl: options.apiUrl, pageId, version: options.version }),
  });
  const serviceParts = {
    clock,
    newId,
    texts,
    onChanged: async (change: AppliedChange) => {
      log.info(change, 'status page changed');
      try {
        await documents.rebuild();
      } catch (err) {
        // The change is stored, so the call succeeded; the next check within a second builds again.
        log.error({ err }, 'status documents could not be rebuilt');
      }
      webhooks.deliveries.wake();
    },
    subscriberCalls: webhooks.calls,
  };
  const service = createStatusService({ ...serviceParts, repository });

  async function openOrMakePage(): Promise<void> {
    const settings = {
      id: options.pageId,
      name: options.pageName,
      url: options.pageUrl,
      timeZone: options.timeZone,
    };
    await repository.openPage((stored) =>
      stored !== null && options.keepsStoredUrl === true
        ? null
        : openPage(stored, settings, { now: clock.now(), newId }),
    );
    const parts = probes.map(partOf);
    await repository.setUp(
      probes.map(({ name }) => name),
      (before, fresh) => {
        const isFirst = !isSetUp(before.page);
        const now = isFirst ? before.page.createdAt : clock.now();
        const context = { now, newId, texts, time: createZonedTime(before.page.timeZone) };
        const wanted = parts.filter(({ component }) => isFirst || fresh.includes(component.probe));
        const after = options.builtinComponents ? withServerParts(before, wanted, context) : before;
        return setUpChanges(before, after, now);
      },
    );
    await documents.rebuild();
    pageId = (await repository.read(null)).page.id;
  }

  const kept = repositoryOfKeeper(repository, keeping);
  const upkeep = new PageUpkeep({
    repository: kept,
    keeping,
    responseTimes: store.responseTimes,
    service: createStatusService({ ...serviceParts, repository: kept }),
    probes,
    clock,
    repeat: dependencies.repeat ?? systemRepeat,
    log,
    onChanged: () => documents.rebuild(),
    onKept: () => webhooks.deliveries.wake(),
    unstored,
    isToldElsewhere: isStorageError,
    recordsDowntime: options.recordDowntime,
    opensIncidents: options.autoIncidents,
  });

  let pageId = '';
  let prepared: Promise<void> | null = null;
  function prepare(): Promise<void> {
    prepared ??= openOrMakePage().catch((error) => {
      prepared = null;
      throw error;
    });
    return prepared;
  }

  const authenticate = createAuthenticate(options.tokens, options.tokenInQuery);
  const cache = new DocumentCache({
    clock,
    revision: () => documents.newestRevision(),
    isGone: (error) => error instanceof StatusNotFoundError,
    onFailed: (err) =>
      log.error({ err }, 'a status page, document or feed could not be built; serving the last one'),
  });
  if (dependencies.metrics !== undefined) registerCacheMetrics(dependencies.metrics, cache);
  const onDemand = createOnDemandDocuments(shown, cache);
  const publicRoutes = createStatusRoutes({ document: (path) => documents.get(path), onDemand });
  const { publicPath = '', ownPath = '', version, logo = null } = options;
  const look = createPageLook(options.accent, logo === null ? null : readLogo(logo));
  const sites = {
    shared: {
      base: `${publicPath}/status`,
      root: publicPath,
      version,
      look,
      siteLinks: siteNavigation({ root: publicPath, version, statusUrl: null }, 'status'),
    },
    own: { base: ownPath, root: ownPath, version, look },
  };
  const pageRoutes = createPageRoutes({
    cache,
    contents: createPageContents(shown, store.responseTimes),
    onDemand,
    sites,
    frameAncestors: options.frameAncestors,
  });
  const unsubscribeRoutes = createUnsubscribeRoutes({
    unsubscribing: {
      async isKnown(id, key) {
        const subscriber = await store.subscribers.find(id);
        return subscriber?.mode === 'email' && isUnsubscribeKey(key, subscriber);
      },
      async end(id) {
        await webhooks.calls({ name: 'unsubscribe link' }).deleteSubscriber(id);
      },
    },
    readPage: () => repository.readPage(),
    now: () => clock.now(),
    sites,
  });
  const feedRoutes = createFeedRoutes({ cache, repository: shown });
  const shortLinks = createShortLinks({
    onDemand,
    pages: { shared: sites.shared.base, own: sites.own.base },
  });
  const manageRoutes = createManageRoutes({
    bodies: dependencies.bodies ?? createBodyIntake(),
    service,
    authenticate,
    clock,
    pageId: () => pageId,
  });
  return {
    name: 'status' as const,
    paths: STATUS_PATHS,
    answerDirectly: createDirectDocuments((path) => documents.ready(path)),
    routes: async (app: FastifyInstance, listener: ListenerOptions) => {
      await prepare();
      await app.register(publicRoutes);
      await app.register(pageRoutes, listener);
      await app.register(unsubscribeRoutes, listener);
      await app.register(feedRoutes, listener);
      await app.register(shortLinks, listener);
      await app.register(manageRoutes);
    },
    errors: createStatusErrors((request) => authenticate(request) !== null),
    /** Changes the page; ready after `prepare`. */
    service,
    repository,
    /**
     * Makes the page on the first start and builds the documents. Runs once however often it is called;
     * registering the routes and starting the area do it too.
     */
    prepare,
    /** Resolves when no delivery is under way. */
    settled: () => webhooks.deliveries.settled(),
    async start() {
      await prepare();
      await mailer?.prepare();
      await upkeep.start();
      webhooks.deliveries.start();
    },
    async close() {
      await upkeep.close();
      await webhooks.deliveries.close();
      // When that fails the lease ends by itself.
      await keeping.release().catch((err) => log.warn({ err }, 'the status page could not be handed over'));
    },
    readiness: () => ({
      ready: documents.revision >= 0,
      members: { status_page: { revision: Math.max(0, documents.revision) } },
    }),
  };
}

function partOf({ name, part }: HealthProbe): ServerPart {
  const known = BUILT_IN_PARTS.find(({ component }) => component.probe === name);
  if (part !== undefined) return { group: part.group, component: { ...part.component, probe: name } };
  if (known === undefined) throw new Error(`The probe ${name} stands for no component`);
  return known;
}
