import type { CustomFees } from '../../../../src/mirror/ledger/facets/custom-fees.ts';
import type { TokenChange, TokenRow } from '../../../../src/mirror/ledger/facets/tokens.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { entityId } from '../../../../src/values/entity-id.ts';

/** A fungible token without keys that is created at a time. */
export function aToken(num: bigint, at: bigint, given: Partial<TokenRow> = {}): TokenChange {
  const time = consensusTimestamp(at);
  const row: TokenRow = {
    kind: 'FUNGIBLE_COMMON',
    createdTimestamp: time,
    name: 'Token name',
    symbol: 'SYMBOL',
    decimals: 0,
    initialSupply: 0n,
    totalSupply: 0n,
    maxSupply: 0n,
    supplyType: 'INFINITE',
    treasury: entityId(98n),
    metadata: null,
    freezeDefault: false,
    freezeStatus: 'NOT_APPLICABLE',
    kycStatus: 'NOT_APPLICABLE',
    pauseStatus: 'NOT_APPLICABLE',
    feeScheduleKey: null,
    freezeKey: null,
    kycKey: null,
    metadataKey: null,
    pauseKey: null,
    supplyKey: null,
    wipeKey: null,
    ...given,
  };
  return { token: entityId(num), consensusTimestamp: time, row };
}

/** So many fixed fees of a token from a time on. */
export function someFees(num: bigint, at: bigint, count: number): CustomFees {
  return {
    entity: entityId(num),
    of: 'token',
    consensusTimestamp: consensusTimestamp(at),
    fixedFees: Array.from({ length: count }, (_, index) => ({
      amount: BigInt(index),
      denominatingToken: null,
      collector: entityId(98n),
      areCollectorsExempt: false,
    })),
    fractionalFees: [],
    royaltyFees: [],
  };
}
