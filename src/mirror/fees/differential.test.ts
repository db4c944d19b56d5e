import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../test/kit/mirror/fees/fee-app.ts';
import { bundledScheduleJson, randomScheduleJson } from '../../../test/kit/mirror/fees/random-schedule.ts';
import {
  RANDOM_STATE,
  randomTransaction,
  TRANSACTION_MEMBERS,
} from '../../../test/kit/mirror/fees/random-transaction.ts';
import { type SlowRequest, slowEstimate } from '../../../test/kit/mirror/fees/slow-estimate.ts';
import { repetitions } from '../../../test/support/depth.ts';
import { seedOf } from '../../../test/support/seed.ts';
import { type RandomSource, seededRandom } from '../../../tools/network/seeded-random.ts';
import { printFeeAnswer } from './answers/fee-answer.ts';
import { decodeTransaction } from './decode/decode-transaction.ts';
import { UnpriceableTransactionError } from './fee-errors.ts';
import { estimateFee } from './pricing/estimate-fee.ts';
import { pricedMembers } from './pricing/transaction-prices.ts';
import { parseFeeScheduleJson } from './schedule/fee-schedule.ts';

/** `FEE_DIFFERENTIAL_RUNS` draws more, `TEST_SEED` others. */
const RUNS = Number(process.env['FEE_DIFFERENTIAL_RUNS'] ?? repetitions(10_000));
const SEED = seedOf('fees');
const RUNS_PER_SCHEDULE = 50;
const RICH_MEMBERS = ['cryptoTransfer', 'tokenAirdrop', 'consensusSubmitMessage'];

const state = stateOf({
  tokens: Object.fromEntries(
    Object.entries(RANDOM_STATE.tokens).map(([id, { nft, customFees }]) => [
      id,
      { kind: nft ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON', customFeeCount: customFees ? 2 : 0 },
    ]),
  ),
  topics: Object.fromEntries(
    Object.entries(RANDOM_STATE.topics).map(([id, { customFees }]) => [
      id,
      { fixedFeeCount: customFees ? 1 : 0 },
    ]),
  ),
});

describe('estimateFee and an independent estimator written from the specification', () => {
  test(`agree on ${RUNS} random transactions of every type`, { timeout: 120_000 }, async () => {
    const random = seededRandom(SEED);
    const seen = { priced: new Set<string>(), fallbacks: 0, multiplied: 0, refused: new Set<string>() };
    let spelled = bundledScheduleJson();
    let schedule = parseFeeScheduleJson(spelled);
    for (let run = 0; run < RUNS; run += 1) {
      if (run % RUNS_PER_SCHEDULE === 0 && run > 0) {
        spelled = randomScheduleJson(random);
        schedule = parseFeeScheduleJson(spelled);
      }
      const transaction = randomTransaction(memberOf(run, random), random);
      const request: SlowRequest = {
        ...transaction,
        mode: random.below(2) === 0 ? 'STATE' : 'INTRINSIC',
        throttle: random.below(11) * random.below(1001),
      };
      const slow = slowEstimate(request, RANDOM_STATE, spelled);
      const ours = await estimate();
      const where = `run ${run} of seed ${SEED}: ${request.mode} ${request.member} ${transaction.payload.toString('hex')}`;
      if ('detail' in slow) {
        seen.refused.add(slow.detail.replace(/\d+/g, 'N'));
        expect(ours, where).toEqual(slow);
        continue;
      }
      seen.priced.add(request.member);
      const {
        additions: _beside,
        notes,
        ...numbers
      } = ours as {
        additions?: unknown;
        notes?: readonly string[];
      };
      expect(numbers, where).toEqual(slow.estimate);
      if (slow.missing === null) expect(notes, where).toBeUndefined();
      else {
        seen.fallbacks += 1;
        expect(
          notes?.some((note) => /intrinsic/i.test(note) && note.includes(` ${slow.missing} `)),
          where,
        ).toBe(true);
      }
      if ((slow.estimate as { high_volume_multiplier: number }).high_volume_multiplier > 1)
        seen.multiplied += 1;

      async function estimate(): Promise<unknown> {
        try {
          const estimated = await estimateFee({
            transaction: decodeTransaction(transaction.payload),
            mode: request.mode,
            highVolumeThrottle: request.throttle,
            schedule,
            state,
            reportFault: (_fault, entity) => expect.unreachable(entity),
          });
          return JSON.parse(printFeeAnswer(estimated));
        } catch (error) {
          if (error instanceof UnpriceableTransactionError) return { detail: error.message };
          throw error;
        }
      }
    }
    if (RUNS < 10_000) return;
    // What a run of this size must have met, or the drawing has become too tame.
    expect([...seen.priced].toSorted()).toEqual([...pricedMembers].toSorted());
    expect(seen.fallbacks).toBeGreaterThan(50);
    expect(seen.multiplied).toBeGreaterThan(100);
    expect([...seen.refused].toSorted()).toEqual([
      'Transaction contains N airdrop token transfer lists, which exceeds the maximum of N',
      'Transaction contains N hbar transfers, which exceeds the maximum of N',
      'Transaction contains N nft transfers, which exceeds the maximum of N',
      'Transaction contains N pending airdrops to cancel, which exceeds the maximum of N',
      'Transaction contains N pending airdrops to claim, which exceeds the maximum of N',
      'Transaction contains N signature pairs, which exceeds the maximum of N',
      'Transaction contains N token transfer lists, which exceeds the maximum of N',
      'Transaction size N exceeds maximum N bytes',
      'Unknown transaction type',
    ]);
  });
});

/** Every third run a transfer or a message, where most rules are; otherwise any type. */
function memberOf(run: number, random: RandomSource): string {
  const members = run % 3 === 0 ? RICH_MEMBERS : TRANSACTION_MEMBERS;
  return members[random.below(members.length)] ?? 'cryptoTransfer';
}
