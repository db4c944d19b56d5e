import { isMadeUpTreasury } from '../../accounts/implied-treasury.ts';
import type { EntityReader } from '../../ledger/entity-reader.sql.ts';
import type { EntityType } from '../../ledger/rows.ts';
import type { EntityHome } from '../../parameters/entity-id-text.ts';
import { numberOfText } from '../../parameters/token-in-path.ts';
import type { ScheduleRepository } from '../../schedules/schedule-repository.sql.ts';
import type { TokenRepository } from '../../tokens/token-repository.sql.ts';
import type { TopicRepository } from '../../topics/topic-repository.sql.ts';

/**
 * The kinds of those entities that the ledger can show, by id; null for what is only known from transfers. An id that is
 * left out has no page.
 */
export type ShownKinds = (ids: Iterable<string>) => Promise<ReadonlyMap<string, EntityType | null>>;

interface ShownKindsParts {
  readonly entities: Pick<EntityReader, 'findEach'>;
  readonly home: EntityHome;
  readonly schedules: Pick<ScheduleRepository, 'find'>;
  readonly tokens: Pick<TokenRepository, 'find'>;
  readonly topics: Pick<TopicRepository, 'find'>;
}

export function createShownKinds({ entities, home, ...stores }: ShownKindsParts): ShownKinds {
  const { schedules, tokens, topics } = stores;
  return async (ids) => {
    const numbers = new Map([...ids].map((text) => [text, numberOfText(text, home)]));
    const wanted = new Set([...numbers.values()].filter((number) => number !== null));
    const states = await entities.findEach([...wanted]);
    const kinds = new Map<string, EntityType | null>();
    for (const [text, number] of numbers) {
      const state = number === null ? undefined : states.get(number);
      if (number === null || state === undefined || isMadeUpTreasury(state, home)) continue;
      const { type } = state;
      // An update or deletion alone names the kind of what was created before the imported part.
      const isMissing =
        (type === 'TOKEN' && (await tokens.find(number, null)) === null) ||
        (type === 'TOPIC' && (await topics.find(number)) === null) ||
        (type === 'SCHEDULE' && (await schedules.find(number)) === null);
      if (!isMissing) kinds.set(text, type);
    }
    return kinds;
  };
}
