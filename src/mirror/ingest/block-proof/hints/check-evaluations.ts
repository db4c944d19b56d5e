import { FailedCheck } from '../failed-check.ts';
import type { ProofFailure } from '../proof-verdict.ts';
import type { HintsKey } from './hints-key.ts';
import type { Evaluations } from './hints-signature.ts';
import { Fr } from './points.ts';

/**
 * Checks the identities of the polynomials at r with plain numbers.
 *
 * @throws FailedCheck `sum_identity`, `last_identity`, `bit_identity`, `end_identity`, or `encoding` for an r that lies
 * in the domain.
 * @see contracts/streams.md section 18.5, step 11
 */
export function checkEvaluations({ n, omega }: HintsKey, r: bigint, values: Evaluations): void {
  const last = Fr.inv(omega);
  // z = 0 for every r in the domain: all quotients would be free.
  const z = Fr.sub(Fr.pow(r, n), 1n);
  if (r === 0n || z === 0n) throw new FailedCheck('encoding', 'the challenge lies in the domain');
  const lagrange = Fr.div(Fr.mul(last, z), Fr.mul(n, Fr.sub(r, last)));
  const identities: readonly [ProofFailure, string, bigint, bigint][] = [
    [
      'sum_identity',
      'the partial sums do not add up the weights of the signers',
      Fr.sub(Fr.sub(values.partialSums, values.partialSumsBefore), Fr.mul(values.weights, values.bits)),
      values.q1,
    ],
    [
      'last_identity',
      'the last partial sum is not the claimed weight',
      Fr.mul(lagrange, values.partialSums),
      values.q3,
    ],
    ['bit_identity', 'a seat is neither in nor out', Fr.sub(Fr.sqr(values.bits), values.bits), values.q2],
    ['end_identity', 'the reserved seat is not in', Fr.mul(lagrange, Fr.sub(values.bits, 1n)), values.q4],
  ];
  for (const [failure, reason, found, quotient] of identities) {
    if (found !== Fr.mul(quotient, z)) throw new FailedCheck(failure, reason);
  }
}
