import { commitUnits } from '../../../../src/mirror/ledger/commit/ledger-backend.ts';
import type { BalanceStatement, LedgerUnit, TokenBalanceState } from '../../../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../../src/values/entity-id.ts';
import { doNow } from '../../../../src/values/work.ts';
import { memoryBackend } from './memory-backend.ts';

/** What the state after a unit tells; balances that the ledger knows are told as it knows them. */
export interface StateDraw {
  readonly account: bigint;
  readonly token: bigint;
  /** For what it does not know. */
  readonly balance: bigint;
}

/** The balances of accounts as a ledger in memory has them after units; absent while they are unknown. */
export function knownBalances(units: readonly LedgerUnit[]): ReadonlyMap<bigint, bigint> {
  const backend = memoryBackend();
  doNow(commitUnits(backend, units, false));
  const isComplete = backend.rows('ledger_state')[0]?.['balances_complete'] === 1n;
  const known = new Map<bigint, bigint>();
  for (const { balance, id } of backend.rows('entity')) {
    if (typeof balance === 'bigint') known.set(id as bigint, balance);
  }
  // Of a complete ledger every account is known, those without a row have nothing.
  return isComplete ? new Map([...[3n, 5n, 6n, 7n].map((id) => [id, 0n] as const), ...known]) : known;
}

/** Adds to each unit what the state after it tells of the drawn accounts and tokens. */
export function withStates(
  units: readonly LedgerUnit[],
  draws: readonly (readonly StateDraw[])[],
): readonly LedgerUnit[] {
  const stated: LedgerUnit[] = [];
  for (const [index, unit] of units.entries()) {
    const known = knownBalances([...stated, unit]);
    const timestamp = consensusTimestamp(
      unit.transactions.at(-1)?.consensusTimestamp ?? unit.header.consensusStart,
    );
    const accountStates = new Map<bigint, BalanceStatement>();
    const tokenStates = new Map<string, TokenBalanceState>();
    for (const { account: drawn, balance, token } of draws[index % Math.max(1, draws.length)] ?? []) {
      const account = entityId(drawn);
      accountStates.set(account, { account, balance: known.get(account) ?? balance, timestamp });
      tokenStates.set(`${account}/${token}`, {
        account,
        token: entityId(token),
        balance: balance === 0n ? null : balance,
        timestamp,
      });
    }
    stated.push({
      ...unit,
      accountStates: [...accountStates.values()],
      tokenStates: [...tokenStates.values()],
    });
  }
  return stated;
}
