import type { FastifyBaseLogger } from 'fastify';
import { isPrivateUrl } from '../../http/private-address.ts';
import type { Clock } from '../../values/clock.ts';
import { type NewSubscriber, SUBSCRIBER_MODES } from '../documents/managed-schemas.ts';
import { StatusNotFoundError } from '../errors.ts';
import type { Caller } from '../model/changes.ts';
import type { Stretch } from '../model/page-state.ts';
import { characters, type Input, readText } from '../rules/input-members.ts';
import { createObjectId, type RandomBytes } from '../rules/object-id.ts';
import { ProblemList } from '../rules/problems.ts';
import { requireUnmodified } from '../rules/require-unmodified.ts';
import { createZonedTime, type ZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import type { Mailer } from './mail/mailer.ts';
import {
  createSubscriberSecret,
  MAX_SUBSCRIBERS,
  managedSubscriber,
  type Subscriber,
  type SubscriberMode,
} from './subscriber.ts';
import type { SubscriberRepository } from './subscriber-repository.sql.ts';

/**
 * What people who manage the page do with its subscribers. No call changes the page or its documents.
 *
 * @see contracts/status.md sections 4 and 11
 */
export type SubscriberCalls = ReturnType<typeof createSubscriberCalls>;

/** What subscribers are kept and told with. */
export interface SubscribersParts {
  readonly repository: Pick<StatusRepository, 'read' | 'readPage'>;
  readonly subscribers: SubscriberRepository;
  readonly clock: Clock;
  readonly randomness: RandomBytes;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  /** Whether subscribers may have loopback, private and link-local addresses. */
  readonly allowsPrivate: boolean;
  /** Null: no mail is sent. */
  readonly mailer: Mailer | null;
}

/** Makes the calls for one caller. */
export function createSubscriberCalls(parts: SubscribersParts, caller: Caller) {
  const { repository, subscribers, clock, randomness, log, allowsPrivate, mailer } = parts;

  const tell = (verb: 'create' | 'delete', id: string): void =>
    log.info(
      { call: `subscriber.${verb}`, id, by: caller.name, changed: [] },
      'subscribers of the status page changed',
    );
  const recordOf = (verb: 'create' | 'delete', subjectId: string, at: number) =>
    ({ at, actor: caller.name, call: `subscriber.${verb}`, subjectId }) as const;

  async function zone(): Promise<ZonedTime> {
    return createZonedTime((await repository.read(null)).page.timeZone);
  }

  return {
    /** In order of their creation. */
    async listSubscribers(stretch: Stretch) {
      const time = await zone();
      return (await subscribers.list(stretch)).map((each) => managedSubscriber(each, time));
    },
    /** @throws StatusNotFoundError */
    async readSubscriber(id: string) {
      const time = await zone();
      return managedSubscriber(existing(await subscribers.find(id), id), time);
    },
    /** @throws StatusValidationError naming everything that is wrong; then nothing is stored. */
    async createSubscriber(input: Input): Promise<NewSubscriber> {
      const time = await zone();
      const subscriber = await subscribers.add((endpoints) => {
        const members = readSubscriber(input, { endpoints, allowsPrivate, sendsMail: mailer !== null });
        const now = clock.now();
        const secret = createSubscriberSecret(randomness);
        const made: Subscriber = { id: createObjectId(randomness), ...members, secret, createdAt: now };
        // Whoever may read can read what is recorded, so it is recorded without the secret.
        const after = { ...managedSubscriber(made, time) };
        return { subscriber: made, audit: { ...recordOf('create', made.id, now), before: null, after } };
      });
      tell('create', subscriber.id);
      return { ...managedSubscriber(subscriber, time), secret: subscriber.secret };
    },
    /** @returns the subscriber as it was. @throws StatusNotFoundError, StatusConflictError */
    async deleteSubscriber(id: string) {
      const time = await zone();
      const subscriber = await subscribers.remove(id, (found) => {
        const known = existing(found, id);
        // A subscriber never changes, so its creation counts.
        if (caller.unmodifiedSince != null) requireUnmodified(known.createdAt, caller.unmodifiedSince);
        const before = { ...managedSubscriber(known, time) };
        return {
          subscriber: known,
          audit: { ...recordOf('delete', id, clock.now()), before, after: null },
        };
      });
      tell('delete', id);
      return managedSubscriber(subscriber, time);
    },
  };
}

function existing(found: Subscriber | null, id: string): Subscriber {
  if (found === null) throw new StatusNotFoundError('subscriber', id);
  return found;
}

/** Longest endpoint that is kept; servers refuse much longer ones. */
const ENDPOINT_LIMIT = 2048;
/** Longest address that mail can have. @see RFC 5321 section 4.5.3.1 */
const EMAIL_LIMIT = 254;
/** One address: a comma or semicolon would begin another. */
const EMAIL = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;

/** What a new subscription is judged by. */
interface SubscriptionRules {
  /** Endpoints of all subscribers that there are. */
  readonly endpoints: readonly string[];
  /** Whether endpoints may have private addresses. */
  readonly allowsPrivate: boolean;
  /** Whether mail can be sent. */
  readonly sendsMail: boolean;
}

/**
 * Reads a new subscription; without a mode it is a webhook, as in the reference.
 *
 * The same endpoint twice would get everything twice, so it is refused however it is written.
 *
 * @throws StatusValidationError naming everything that is wrong.
 * @see contracts/status.md section 4, Endpoints served
 */
function readSubscriber(
  input: Input,
  rules: SubscriptionRules,
): { readonly mode: SubscriberMode; readonly endpoint: string; readonly email: string | null } {
  const problems = new ProblemList();
  const given = readText(input, 'mode', problems) ?? 'webhook';
  const mode = SUBSCRIBER_MODES.find((each) => each === given);
  if (mode === undefined)
    problems.addText(`Mode is not included in the list (${SUBSCRIBER_MODES.join(', ')})`);
  const email = readText(input, 'email', problems)?.trim() ?? null;
  const isMail = mode === 'email';
  const endpoint = isMail ? `mailto:${email ?? ''}` : (readText(input, 'endpoint', problems)?.trim() ?? '');
  if (isMail && email === null) problems.addText("Email can't be blank");
  if (isMail && !rules.sendsMail)
    problems.addText('Mode email needs a mail server: set STATUS_SMTP_URL and STATUS_MAIL_FROM');
  if (isMail && rules.endpoints.some((other) => other.toLowerCase() === endpoint.toLowerCase()))
    problems.addText('Email has already been taken');
  const refusal = isMail || endpoint === '' ? null : refuseEndpoint(endpoint, rules);
  if (endpoint === '') problems.add('endpointBlank');
  if (refusal !== null) problems.addText(refusal);
  if (email !== null && (!EMAIL.test(email) || characters(email) > EMAIL_LIMIT))
    problems.addUnreadable('email');
  if (rules.endpoints.length >= MAX_SUBSCRIBERS)
    problems.addText(`Subscribers are limited to ${MAX_SUBSCRIBERS}: delete one first`);
  problems.throwIfAny();
  return { mode: mode ?? 'webhook', endpoint, email };
}

/** Says what is wrong with an endpoint; null: nothing. */
function refuseEndpoint(endpoint: string, rules: SubscriptionRules): string | null {
  if (endpoint.length > ENDPOINT_LIMIT)
    return `Endpoint is too long (maximum is ${ENDPOINT_LIMIT} characters)`;
  if (!isWebAddress(endpoint))
    return 'Endpoint must be an absolute http or https address, such as https://example.org/hook';
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '') return 'Endpoint must not contain a user name or password';
  if (!rules.allowsPrivate && isPrivateUrl(url))
    return 'Endpoint must not be a loopback, private or link-local address, unless STATUS_WEBHOOK_PRIVATE is on';
  const target = targetOf(endpoint);
  const isTaken = rules.endpoints.some((other) => targetOf(other) === target);
  return isTaken ? 'Endpoint has already been taken' : null;
}

/** The parser of URLs drops white space and adds slashes; what is kept is what was given, so it is judged as given. */
function isWebAddress(endpoint: string): boolean {
  return /^https?:\/\/[^\s/\\\p{Cc}][^\s\\\p{Cc}]*$/iu.test(endpoint) && URL.canParse(endpoint);
}

/** What a request asks for: a fragment stays with the client. */
function targetOf(endpoint: string): string {
  const url = new URL(endpoint);
  url.hash = '';
  return url.href;
}
