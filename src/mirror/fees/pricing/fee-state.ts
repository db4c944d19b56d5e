import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import type { TokenIdFields, TopicIdFields } from '../decode/transaction-fields.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';

/** What a price depends on beside the transaction itself. */
export interface TokenFacts {
  readonly kind: 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE';
  /** Fixed, fractional and royalty fees together. */
  readonly customFeeCount: number;
}

export interface TopicFacts {
  readonly fixedFeeCount: number;
}

export interface AccountFacts {
  /** −1 without a limit; null when the imported ledger does not tell. */
  readonly maxAutomaticAssociations: bigint | null;
}

/**
 * The newest state of the ledger, asked at request time and never cached beyond one estimate.
 *
 * Null means that this mirror does not know the entity. A rejected promise is treated the same way, after the
 * fault was reported.
 *
 * @see contracts/fees-estimate.md section 4.2
 */
export interface FeeStateSource {
  token(id: EntityId): Promise<TokenFacts | null>;
  topic(id: EntityId): Promise<TopicFacts | null>;
  account(id: EntityId): Promise<AccountFacts | null>;
  /** The account with this alias: a serialized key or 20 bytes. */
  accountByAlias(alias: Uint8Array): Promise<EntityId | null>;
  /** Null when the imported ledger does not tell. */
  isAssociated(account: EntityId, token: EntityId): Promise<boolean | null>;
}

/** The entities whose state a price depends on, by their printed ids. */
export interface StateNeeds {
  readonly tokens?: readonly (TokenIdFields | undefined)[];
  readonly topic?: TopicIdFields | undefined;
}

/** The state that was needed, complete. */
export interface KnownState {
  /** By printed id, see {@link printTokenId}. */
  readonly tokens: ReadonlyMap<string, TokenFacts>;
  readonly topic: TopicFacts | null;
}

/** Either all that is needed, or what is missing, as `token 0.0.9999`. */
type StateOutcome =
  | { readonly known: KnownState; readonly missing?: undefined }
  | { readonly known?: undefined; readonly missing: readonly string[] };

const MAX_LOOKUPS = 32;

/**
 * Looks up everything that a price depends on, each entity once.
 *
 * @param asked entities of the request so far, which grows; inner transactions share the limit of their batch.
 * @throws UnpriceableTransactionError when more than 32 entities would have to be looked up.
 * @see contracts/fees-estimate.md sections 4.2 and 4.3
 */
export async function lookUpState(
  needs: StateNeeds,
  source: FeeStateSource,
  reportFault: (error: unknown, entity: string) => void,
  asked: Set<string> = new Set(),
): Promise<StateOutcome> {
  const ids = new Map<string, EntityId | null>();
  for (const token of needs.tokens ?? []) ids.set(printTokenId(token), encode(token, token?.tokenNum));
  for (const token of ids.keys()) asked.add(`token ${token}`);
  if (needs.topic !== undefined) asked.add(`topic ${printParts(needs.topic, needs.topic.topicNum)}`);
  if (asked.size > MAX_LOOKUPS) {
    throw new UnpriceableTransactionError(
      'too_many_lookups',
      `Fee estimation exceeded the maximum of ${MAX_LOOKUPS} entity lookups`,
    );
  }

  const missing: string[] = [];
  const tokens = new Map<string, TokenFacts>();
  for (const [printed, id] of ids) {
    const entity = `token ${printed}`;
    const facts = id === null ? null : await orNull(() => source.token(id), entity);
    if (facts === null) missing.push(entity);
    else tokens.set(printed, facts);
  }
  let topic: TopicFacts | null = null;
  if (needs.topic !== undefined) {
    const entity = `topic ${printParts(needs.topic, needs.topic.topicNum)}`;
    const id = encode(needs.topic, needs.topic.topicNum);
    topic = id === null ? null : await orNull(() => source.topic(id), entity);
    if (topic === null) missing.push(entity);
  }
  return missing.length > 0 ? { missing } : { known: { tokens, topic } };

  async function orNull<T>(lookUp: () => Promise<T | null>, entity: string): Promise<T | null> {
    try {
      return await lookUp();
    } catch (error) {
      // A store that is down means the same to the caller as an unknown entity: an estimate without state.
      reportFault(error, entity);
      return null;
    }
  }
}

/** `shard.realm.num` of a token; an absent id is `0.0.0`. */
export function printTokenId(token: TokenIdFields | undefined): string {
  return printParts(token, token?.tokenNum);
}

type ShardRealm = { readonly shardNum?: bigint; readonly realmNum?: bigint };

function printParts(id: ShardRealm | undefined, num: bigint | undefined): string {
  return `${id?.shardNum ?? 0n}.${id?.realmNum ?? 0n}.${num ?? 0n}`;
}

function encode(id: ShardRealm | undefined, num: bigint | undefined): EntityId | null {
  return encodeEntityId(id?.shardNum ?? 0n, id?.realmNum ?? 0n, num ?? 0n);
}
