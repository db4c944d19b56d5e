import type { Clock } from '../../values/clock.ts';
import { StatusNotFoundError } from '../errors.ts';
import type { AppliedChange, Caller } from '../model/changes.ts';
import type { Stretch } from '../model/stretches.ts';
import type { Input } from '../rules/input-members.ts';
import type { RandomBytes } from '../rules/object-id.ts';
import { requireUnmodified } from '../rules/require-unmodified.ts';
import { createZonedTime, type ZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { readSubscriber } from './read-subscriber.ts';
import {
  createSubscriberSecret,
  type ManagedSubscriber,
  managedSubscriber,
  type NewSubscriber,
  type Subscriber,
} from './subscriber.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';

/**
 * What people who manage the page do with its subscribers. No call changes the page or its documents.
 *
 * @see contracts/status.md sections 4 and 11
 */
export interface SubscriberCalls {
  /** In order of their creation. */
  listSubscribers(stretch: Stretch): Promise<readonly ManagedSubscriber[]>;
  /** @throws StatusNotFoundError */
  readSubscriber(id: string): Promise<ManagedSubscriber>;
  /** @throws StatusValidationError naming everything that is wrong; then nothing is stored. */
  createSubscriber(input: Input): Promise<NewSubscriber>;
  /** @returns the subscriber as it was. @throws StatusNotFoundError, StatusConflictError */
  deleteSubscriber(id: string): Promise<ManagedSubscriber>;
}

interface SubscriberCallsDependencies {
  readonly repository: Pick<StatusRepository, 'read'>;
  readonly subscribers: SubscriberRepository;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomness: RandomBytes;
  /** Whether endpoints may have private addresses. */
  readonly allowsPrivate: boolean;
  readonly sendsMail: boolean;
  /** Told after each commit, for the log. */
  readonly onChanged: (change: Omit<AppliedChange, 'revision'>) => void;
}

/** Makes the calls for one caller. */
export function createSubscriberCalls(
  dependencies: SubscriberCallsDependencies,
  caller: Caller,
): SubscriberCalls {
  const { repository, subscribers, clock, newId, randomness, allowsPrivate, sendsMail, onChanged } =
    dependencies;

  const recordOf = (verb: 'create' | 'delete', subjectId: string, at: number) =>
    ({ at, actor: caller.name, call: `subscriber.${verb}`, subjectId }) as const;

  async function zone(): Promise<ZonedTime> {
    return createZonedTime((await repository.read(null)).page.timeZone);
  }

  return {
    async listSubscribers(stretch) {
      const time = await zone();
      return (await subscribers.list(stretch)).map((each) => managedSubscriber(each, time));
    },
    async readSubscriber(id) {
      const time = await zone();
      return managedSubscriber(existing(await subscribers.find(id), id), time);
    },
    async createSubscriber(input) {
      const time = await zone();
      const subscriber = await subscribers.add((endpoints) => {
        const members = readSubscriber(input, { endpoints, allowsPrivate, sendsMail });
        const now = clock.now();
        const secret = createSubscriberSecret(randomness);
        const made: Subscriber = { id: newId(), ...members, secret, createdAt: now };
        // Whoever may read can read what is recorded, so it is recorded without the secret.
        const after = { ...managedSubscriber(made, time) };
        return { subscriber: made, audit: { ...recordOf('create', made.id, now), before: null, after } };
      });
      onChanged({ call: 'subscriber.create', id: subscriber.id, by: caller.name, changed: [] });
      return { ...managedSubscriber(subscriber, time), secret: subscriber.secret };
    },
    async deleteSubscriber(id) {
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
      onChanged({ call: 'subscriber.delete', id, by: caller.name, changed: [] });
      return managedSubscriber(subscriber, time);
    },
  };
}

function existing(found: Subscriber | null, id: string): Subscriber {
  if (found === null) throw new StatusNotFoundError('subscriber', id);
  return found;
}
