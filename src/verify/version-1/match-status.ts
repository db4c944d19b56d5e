import type { ContractMatch } from '../contracts/contract-repository.ts';
import { overallMatch } from '../match/compiled-code.ts';

/** The better of both matches in the words of version 1. */
export type MatchStatus = 'perfect' | 'partial';

export function statusOfMatch({ creation, runtime }: ContractMatch): MatchStatus {
  return overallMatch(creation, runtime) === 'exact_match' ? 'perfect' : 'partial';
}
