import type { Clock } from '../../values/clock.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import {
  type BalanceSnapshots,
  findSnapshot,
  type Snapshot,
  type SnapshotHolder,
} from '../balances/balance-snapshots.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityNames } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { isPublicKeyCondition, parsePublicKeyFilter } from '../parameters/public-key-filter.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { tokenInPath } from '../parameters/token-in-path.ts';
import { findHolders, type HolderSteps, type KnownHolder } from './find-holders.ts';
import type { ListAnswer } from './list-account-tokens.ts';
import type { RelationRepository } from './relation-repository.ts';

export interface TokenBalancesDependencies {
  readonly relations: RelationRepository;
  readonly snapshots: BalanceSnapshots;
  readonly clock: Clock;
  readonly names: Pick<EntityNames, 'home' | 'resolveAddress'>;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

const BALANCE = /^\d{1,19}$/;
const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * Answers `GET /api/v1/tokens/{tokenId}/balances`: who holds a token now, or with `timestamp` at a snapshot.
 *
 * @throws MirrorApiError 400 for another form of the id or bad parameters.
 * @see contracts/mirror-entities.md section 6.4
 */
export async function listTokenBalances(
  tokenId: string,
  target: string,
  dependencies: TokenBalancesDependencies,
): Promise<ListAnswer> {
  const { clock, maxRepeated, names, page, relations, snapshots } = dependencies;
  const { home, resolveAddress } = names;
  const token = tokenInPath(tokenId, home);
  const values = checkParameters(readQuery(target), tokenBalanceChecks(page), maxRepeated);
  const accounts = andIntegers(await accountConditions(values.get('account.id') ?? [], home, resolveAddress));
  const balance = andIntegers(
    (values.get('account.balance') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const keys = parsePublicKeyFilter((values.get('account.publickey') ?? []).slice(-1));
  const times = timestampConditions(values.get('timestamp') ?? []);
  const now = BigInt(clock.now()) * NANOS_PER_MILLISECOND;
  const snapshot = times.length === 0 ? null : await findSnapshot(times, now, snapshots);
  const isMissing = times.length > 0 && snapshot === null;
  if (isMissing || keys === 'none' || accounts.lower > accounts.upper || balance.lower > balance.upper) {
    return print(null, [], null);
  }
  const steps: HolderSteps =
    snapshot === null
      ? {
          range: (range) => relations.holders(token, range),
          listed: (listed) => relations.holdersAmong(token, listed),
          withBalances: (wanted) => relations.holdersWith(token, wanted),
        }
      : holdersAt(token, snapshot, snapshots);
  const request = pageRequest(values, page);
  // One more tells whether a page follows.
  const selection = { accounts, balance, keys, order: request.order, limit: request.limit + 1 };
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'account.id',
      of: ({ account }) => account,
      print: printEntityId,
      selection: { equal: null, ...accounts },
    },
    found: await findHolders(selection, steps, relations),
    page,
    request,
    target,
    values,
  });
  const decimals = shown.length === 0 ? null : await relations.decimalsOf(token);
  const items = shown.map(({ account, balance: held }) => ({
    account: printEntityId(account),
    balance: held,
    decimals,
  }));
  return print(snapshot?.at ?? newestTime(shown), items, next);
}

function holdersAt(token: bigint, snapshot: Snapshot, snapshots: BalanceSnapshots): HolderSteps {
  const atSnapshot = (found: readonly SnapshotHolder[]) =>
    found.map((each) => ({ ...each, at: snapshot.at }));
  return {
    range: async (range) => atSnapshot(await snapshots.holdersAt(token, snapshot, range)),
    // Only current balances are indexed.
    withBalances: async () => null,
    listed: async (accounts) => atSnapshot(await snapshots.holdersAmongAt(token, snapshot, accounts)),
  };
}

/** An empty list has no time. */
function print(time: bigint | null, items: readonly ExactJson[], next: string | null): ListAnswer {
  const timestamp = items.length === 0 ? null : printTimestamp(time ?? 0n);
  return { json: printExactJson({ timestamp, balances: items, links: { next } }), next };
}

function newestTime(shown: readonly KnownHolder[]): bigint | null {
  return shown.reduce<bigint | null>(
    (newest, { at }) => (at !== null && (newest === null || at > newest) ? at : newest),
    null,
  );
}

function tokenBalanceChecks(page: PageSettings) {
  return {
    ...pageChecks(page),
    'account.id': isAccountCondition,
    'account.balance': (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && BALANCE.test(filter.value) && BigInt(filter.value) <= MAX_INT64;
    },
    'account.publickey': isPublicKeyCondition,
    timestamp: isTimestampCondition,
  };
}
