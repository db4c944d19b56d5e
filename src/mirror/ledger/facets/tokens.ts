import type { StateFold } from '../fold/state-fold.ts';
import { stateTable } from '../fold/tables.ts';

/** What fee estimates in `state` mode ask of a token. */
interface TokenStateRow {
  readonly token: bigint;
  readonly kind: string;
  readonly customFeeCount: bigint | number;
  readonly at: bigint;
}

/** Has a row for each token that was created in the imported part. */
export const TOKEN_STATE = stateTable<TokenStateRow>(
  'token_state',
  { token: 'token_id' },
  { kind: 'kind', customFeeCount: 'custom_fee_count', at: 'consensus_ts' },
);

/** Kinds and custom fees of tokens: the newest hold. */
export const tokens: StateFold = {
  touch(unit, keys) {
    for (const { token } of unit.tokens) keys.add(TOKEN_STATE, token);
  },

  fold({ unit }, state) {
    const rows = state.rows(TOKEN_STATE);
    for (const { consensusTimestamp: at, customFeeCount, kind, token } of unit.tokens) {
      if (at >= (rows.get(token)?.at ?? at)) rows.set({ token, kind, customFeeCount, at });
    }
  },

  rebuild: { replaced: ['token_state'] },
};
