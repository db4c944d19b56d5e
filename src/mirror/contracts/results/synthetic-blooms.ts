import { bloomWith } from '../../evm/bloom.ts';
import type { ContractLogRepository } from '../logs/contract-log-repository.sql.ts';
import type { StoredResult } from './contract-result-repository.sql.ts';

/**
 * Results with the bits of the synthetic logs that are shown for them; what stands for a result itself has none.
 *
 * @see contracts/mirror-contracts.md section 11.6
 */
export async function withSyntheticBlooms<Result extends StoredResult>(
  results: readonly Result[],
  logs: Pick<ContractLogRepository, 'syntheticBlooms'>,
): Promise<readonly Result[]> {
  const real = results.filter(({ isSynthetic }) => !isSynthetic);
  const blooms = await logs.syntheticBlooms(real.map(({ consensusTimestamp }) => consensusTimestamp));
  if (blooms.size === 0) return results;
  return results.map((result) => {
    const bloom = result.isSynthetic ? undefined : blooms.get(result.consensusTimestamp);
    return bloom === undefined ? result : { ...result, bloom: bloomWith(result.bloom, bloom) };
  });
}
