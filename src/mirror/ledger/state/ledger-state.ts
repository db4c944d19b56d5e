import type { StateFold } from '../fold/state-fold.ts';
import { contracts } from './contracts.ts';
import { entityNames } from './entity-names.ts';
import { entitySettings } from './entity-settings.ts';
import { feeState } from './fee-state.ts';
import { hbarBalances } from './hbar-balances.ts';
import { network } from './network.ts';
import { nodes } from './nodes.ts';
import { tokenBalances } from './token-balances.ts';

/** Everything that is folded, in the order in which it meets a unit: token balances ask what was created. */
export const LEDGER_STATE_FOLDS: readonly StateFold[] = [
  network,
  nodes,
  feeState,
  entityNames,
  contracts,
  entitySettings,
  hbarBalances,
  tokenBalances,
];
