import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_ACCOUNT } from '../../src/mirror/vocabulary/system-accounts.ts';
import { SYSTEM_FILE } from '../../src/mirror/vocabulary/system-files.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { childOf, contractNumber, contractSteps, type WrittenContract } from './contract-events.ts';
import { drawContractScene, MIX_LOGS } from './contract-mix.ts';
import { givenCall } from './contract-scenes.ts';
import { drawEveryday } from './everyday-mix.ts';
import type { LedgerEvent, NetworkIds } from './ledger-item.ts';
import { LedgerWorld } from './ledger-world.ts';
import { createLifecycles } from './lifecycle-mix.ts';
import {
  exchangeRateFile,
  exchangeRates,
  fileSteps,
  type SystemFile,
  setupEvents,
  stakingPeriodEvents,
  systemEvent,
} from './network-events.ts';
import type { NodeSigner } from './node-signer.ts';
import { createScriptContext, type ScriptContext } from './script-context.ts';
import type { RandomSource } from './seeded-random.ts';
import { transfer } from './transfer-scenes.ts';

/** What may happen in a ledger. */
export const LEDGER_MIXES = ['transfers', 'everyday', 'contracts', 'everything'] as const;
export type LedgerMix = (typeof LEDGER_MIXES)[number];

/** What the events of a stream are made from. */
export interface LedgerScript {
  readonly ids: NetworkIds;
  readonly signers: readonly NodeSigner[];
  readonly random: RandomSource;
  /** What traces of contract calls draw from; null for none. */
  readonly traceRandom: RandomSource | null;
  /** Written by the first record file and now and then again. */
  readonly systemFiles: readonly SystemFile[];
  readonly contracts: readonly WrittenContract[];
  /** Accounts that act. */
  readonly accounts: number;
  readonly mix: LedgerMix;
}

/** Mixes whose accounts all have the same tokens from the beginning. */
const WITH_TOKENS: ReadonlySet<LedgerMix> = new Set(['everyday', 'contracts']);

/** Makes the events of record file `index`, the first of which has exactly the time `start`. */
export type EventsOfFile = (
  index: number,
  start: ConsensusTimestamp,
  count: number,
) => readonly LedgerEvent[];

const MICROSECOND = 1_000n;
/** Distance of two transactions; smaller in files so full that they would reach into the next. */
const MAX_STEP = 1_000n * MICROSECOND;
const FILE_ROOM = 1_900_000n * MICROSECOND;
/** Record files from one exchange rate to the next, as a network has them in an hour. */
const RATE_FILES = 1800;
/** Record files of a staking period; a day would have 43 200 of them, which few ledgers here reach. */
const STAKING_FILES = 1000;
/** Tinybars that an hbar earns in a period, where accounts stake. */
const REWARD_RATE = 17_000n;
const DAY = 86_400_000_000_000n;
/** Record files after which the network writes all its system files again. */
const SYSTEM_FILES = 5000;

/**
 * By default a ledger's everyday mix: transfers, messages, tokens, NFTs, airdrops, schedules, batches, failures, contract
 * calls with children, new accounts; the first file sets up balances, tokens, a topic, system files and stakes,
 * later ones renew rates, stakes and files.
 *
 * The same script and randomness give the same events.
 */
export function createLedgerScript(script: LedgerScript): EventsOfFile {
  const { ids, signers, systemFiles, contracts, mix } = script;
  const called = contracts.map((_, place) => contractNumber(place));
  const calls = mix === 'contracts' ? { contracts: called, logs: MIX_LOGS } : null;
  const context = createScriptContext({ ...script, calls });
  const scenes = createScenes(script, context);
  let day: bigint | null = null;

  return (index, start, count) => {
    const step = FILE_ROOM / BigInt(count + 1) < MAX_STEP ? FILE_ROOM / BigInt(count + 1) : MAX_STEP;
    const at = (position: number) => consensusTimestamp(start + BigInt(position) * step);
    const events: LedgerEvent[] = [];
    const next = () => at(events.length);
    if (index === 0) {
      events.push(...setupEvents(context, at, signers, systemFiles, WITH_TOKENS.has(mix)));
      for (const contractStep of contractSteps(contracts, ids)) {
        const parent = contractStep.isChild ? events.at(-1) : undefined;
        events.push(
          parent === undefined
            ? { ...context.base(next(), contractStep.data), ...contractStep.more }
            : childOf(parent, contractStep),
        );
      }
      for (const [place, { calls: given = [] }] of contracts.entries()) {
        for (const call of given) events.push(givenCall(context, next(), contractNumber(place), call));
      }
    } else {
      if (mix === 'everything') {
        const end = (start / DAY) * DAY - 1n;
        if (day !== start / DAY) {
          events.push(...stakingPeriodEvents(context, start, signers, { end, rate: REWARD_RATE }));
        }
      } else if (index % STAKING_FILES === 0) events.push(...stakingPeriodEvents(context, start, signers));
      const renewed =
        index % SYSTEM_FILES === 0 ? systemFiles.filter(({ num }) => num !== SYSTEM_FILE.EXCHANGE_RATES) : [];
      const rates = index % RATE_FILES === 0 ? [exchangeRateFile(start)] : [];
      for (const each of [...rates, ...renewed].flatMap((file) => fileSteps(context, file))) {
        events.push(systemEvent(context, next(), each));
      }
    }
    day = start / DAY;
    while (events.length < count) events.push(...scenes(next()));
    const rates = exchangeRates(start);
    return events.map((event) => asCharged(event, rates));
  };
}

/** Makes the transactions of what happens next. */
type NextScene = (at: ConsensusTimestamp) => readonly LedgerEvent[];

function createScenes({ accounts, mix, random }: LedgerScript, context: ScriptContext): NextScene {
  if (mix === 'transfers') return (at) => transfer(context, at);
  if (mix === 'everyday') return (at) => drawEveryday(random)(context, at);
  if (mix === 'contracts') return (at) => drawContractScene(random)(context, at);
  return createLifecycles(new LedgerWorld(context, accounts));
}

/** Gives what a user sent the share of fees that goes to staking, and the rate that receipts tell. */
function asCharged(event: LedgerEvent, exchangeRate: MessageObject): LedgerEvent {
  if (event.node === null) return event;
  const share = event.fee / 5n;
  return {
    ...event,
    transfers: [
      ...(event.transfers ?? []),
      [SYSTEM_ACCOUNT.FEE_COLLECTION, -share],
      [SYSTEM_ACCOUNT.NODE_REWARD, share],
    ],
    receipt: { exchangeRate, ...event.receipt },
  };
}
