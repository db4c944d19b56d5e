import type { FacetRows } from '../rows.ts';
import { airdrops } from './airdrops.ts';
import { allowances } from './allowances.ts';
import { assessedFees } from './assessed-fees.ts';
import { balanceSnapshots } from './balance-snapshots.ts';
import { blockProofs } from './block-proofs.ts';
import { blockTree } from './block-tree.ts';
import { contractActions } from './contract-actions.ts';
import { contractLogs } from './contract-logs.ts';
import { contractResults } from './contract-results.ts';
import { contractSlots, contractStateChanges } from './contract-storage.ts';
import { contracts } from './contracts.ts';
import { customFees } from './custom-fees.ts';
import { entityNames } from './entity-names.ts';
import { entitySettings } from './entity-settings.ts';
import { ethereumTransactions } from './ethereum-transactions.ts';
import type { Facet } from './facet.ts';
import { gasPrices } from './gas-prices.ts';
import { hbarBalances } from './hbar-balances.ts';
import { hooks } from './hooks.ts';
import { ledgerPublications } from './ledger-publications.ts';
import { network } from './network.ts';
import { nfts } from './nfts.ts';
import { nodes } from './nodes.ts';
import { openingState } from './opening-state.ts';
import { rates } from './rates.ts';
import { registeredNodes } from './registered-nodes.ts';
import { relations } from './relations.ts';
import { scheduleSignatures, schedules } from './schedules.ts';
import { stakeRows } from './stake-rows.ts';
import { stakingRewards } from './staking-rewards.ts';
import { statedEntities } from './stated-entities.ts';
import { statedRelations } from './stated-relations.ts';
import { tokenBalances } from './token-balances.ts';
import { tokens } from './tokens.ts';
import { topicMessages } from './topic-messages.ts';
import { topics } from './topics.ts';

/**
 * Every kind of rows, in the order in which it meets a unit: token balances ask which tokens and accounts were
 * created. In fixtures the messages name the kinds of lines in this order.
 */
export const LEDGER_FACETS = [
  network,
  openingState,
  rates,
  gasPrices,
  nodes,
  entityNames,
  contracts,
  entitySettings,
  tokens,
  topics,
  topicMessages,
  schedules,
  scheduleSignatures,
  hbarBalances,
  statedEntities,
  statedRelations,
  relations,
  tokenBalances,
  balanceSnapshots,
  stakeRows,
  nfts,
  allowances,
  airdrops,
  stakingRewards,
  customFees,
  assessedFees,
  blockTree,
  ledgerPublications,
  blockProofs,
  registeredNodes,
  hooks,
  contractResults,
  ethereumTransactions,
  contractLogs,
  contractStateChanges,
  contractSlots,
  contractActions,
] as const;

/** What facets have of a unit, by their names. */
type RowsOf<Of extends Pick<Facet<string>, 'name'>> = {
  readonly [Each in Of as Exclude<Each['name'], undefined>]: Each extends Facet<string, infer Row>
    ? readonly Row[]
    : never;
};

declare module '../rows.ts' {
  interface FacetRows extends RowsOf<(typeof LEDGER_FACETS)[number]> {}
}

/** The members of a unit that facets fill, with what was decoded for them. */
export function facetRows(decoded: Partial<FacetRows>): FacetRows {
  const names = LEDGER_FACETS.flatMap(({ name }) => name ?? []);
  // Every member is the name of a facet.
  return Object.fromEntries(names.map((name) => [name, decoded[name] ?? []])) as unknown as FacetRows;
}
