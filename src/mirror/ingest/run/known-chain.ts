import { type ChainEnd, chainEndAfter } from '../../ledger/chain-end.ts';
import { isJump } from '../../ledger/is-jump.ts';
import { type KnownTrust, knownTrustAfter } from '../../ledger/known-trust.ts';
import type { WaitingUnit } from './late-proofs.ts';

/** What is known of the ledger before the waiting units; null until somebody asks. */
export interface KnownChain {
  readonly stored: { readonly end: ChainEnd | null } | null;
  readonly trust: KnownTrust | null;
}

export const NOTHING_KNOWN: KnownChain = { stored: null, trust: null };

export function endAfter(units: readonly WaitingUnit[], before: ChainEnd | null): ChainEnd | null {
  return units.reduce((end, { unit }) => chainEndAfter(end, unit), before);
}

export function trustAfter(
  units: readonly WaitingUnit[],
  before: ChainEnd | null,
  trust: KnownTrust,
): KnownTrust {
  let [end, known] = [before, trust];
  for (const { unit } of units) {
    known = knownTrustAfter(known, unit, isJump(unit.header, end?.hash ?? null));
    end = chainEndAfter(end, unit);
  }
  return known;
}

/** The same with units taken in. */
export function knownWith(units: readonly WaitingUnit[], { stored, trust }: KnownChain): KnownChain {
  if (stored === null) return NOTHING_KNOWN;
  return {
    stored: { end: endAfter(units, stored.end) },
    trust: trust === null ? null : trustAfter(units, stored.end, trust),
  };
}
