import { readFileSync } from 'node:fs';
import type { FastifyPluginAsync } from 'fastify';
import { type BodyIntake, createBodyIntake } from '../../http/bodies/body-intake.ts';
import { type Clock, systemClock } from '../../values/clock.ts';
import { type EntityId, entityId } from '../../values/entity-id.ts';
import type { MaybePromise } from '../../values/map-maybe.ts';
import type { FileRepository } from '../ledger/files/file-repository.ts';
import type { InitialGasPrice } from '../network/gas-prices.ts';
import { SYSTEM_FILE } from '../vocabulary/system-files.ts';
import { exchangeRateNow } from './answers/fee-money.ts';
import { feeJsonRoutes, feeRoutes } from './answers/routes.ts';
import { InvalidFeeScheduleError } from './fee-errors.ts';
import type { FeeStateSource } from './pricing/fee-state.ts';
import { readBundledSchedule, readFeeScheduleFile } from './schedule/fee-schedule.ts';
import { createFeeScheduleSource } from './schedule/fee-schedule-source.ts';

export interface FeesOptions {
  /** System files of the ledger; the schedule follows 0.0.113. */
  readonly files: FileRepository;
  /** Tokens and topics for `mode=state`. */
  readonly state: FeeStateSource;
  /** Path of a schedule (JSON spelling or protobuf) to start with instead of the bundled one. Default null: bundled. */
  readonly scheduleFilePath?: string | null;
  /** Reads request bodies. Default: one of its own. */
  readonly bodies?: BodyIntake;
  /** Largest request body in bytes. */
  readonly bodyLimitBytes: number;
  /** Encoded id of the ledger's schedule file. Default 0.0.113. */
  readonly scheduleFileId?: EntityId;
  /** Encoded id of the ledger's file of exchange rates. Default 0.0.112. */
  readonly rateFileId?: EntityId;
  /** Milliseconds between looks at the ledger's schedule file. Default 1000. */
  readonly recheckMs?: number;
  /** Seconds at which exchange rates are in force or expired. Default: those of the clock. */
  readonly rateTime?: () => MaybePromise<bigint>;
  /** Time source of `recheckMs`. Default the system's. */
  readonly clock?: Clock;
  /** Reads `scheduleFilePath`. Default the file system. */
  readonly readFile?: (path: string) => Uint8Array;
  /** Told of schedules on ledger that are not used and of a store that cannot be read. Default: nobody. */
  readonly reportFault?: (error: unknown) => void;
}

const MILLIS_PER_SECOND = 1000;
const RATE_FILE = entityId(SYSTEM_FILE.EXCHANGE_RATES);

/**
 * Puts fee estimates together.
 *
 * @throws InvalidFeeScheduleError when the operator's schedule file cannot be read or used.
 */
export function createFees(options: FeesOptions) {
  const { files, state, bodies = createBodyIntake(), bodyLimitBytes, scheduleFileId } = options;
  const { clock = systemClock } = options;
  const initial = initialSchedule(
    options.scheduleFilePath ?? null,
    options.readFile ?? ((path) => readFileSync(path)),
  );
  const gas = initial.schedule.extraFees.get('GAS');
  const schedules = createFeeScheduleSource({
    ...options,
    ...{ initial, clock },
    ...(scheduleFileId === undefined ? {} : { file: scheduleFileId }),
  });
  const rateNow = exchangeRateNow(
    files,
    options.rateFileId ?? RATE_FILE,
    options.rateTime ?? (() => BigInt(Math.floor(clock.now() / MILLIS_PER_SECOND))),
  );
  const parts = { bodies, schedules, state, rateNow, bodyLimitBytes };
  const routes: FastifyPluginAsync = async (app) => {
    await app.register(feeRoutes(parts));
    await app.register(feeJsonRoutes(parts));
  };
  const initialGasPrice: InitialGasPrice | null =
    gas === undefined ? null : { tinycents: gas, origin: initial.origin };
  return {
    /** Serves `POST /api/v1/network/fees` and `/api/v1/network/fees/estimate`; a plugin without prefix. */
    routes,
    schedules,
    /** The exchange rate that holds now; null while the ledger told none. */
    rateNow,
    /** Of the schedule that estimates begin with; null when it has none. */
    initialGasPrice,
  };
}

function initialSchedule(path: string | null, readFile: (path: string) => Uint8Array) {
  if (path === null) return { schedule: readBundledSchedule(), origin: 'bundled' as const };
  try {
    return { schedule: readFeeScheduleFile(readFile(path)), origin: 'file' as const };
  } catch (error) {
    const problem = error instanceof InvalidFeeScheduleError ? error.problem : 'cannot be read';
    throw new InvalidFeeScheduleError(`${path}: ${problem}`, error);
  }
}
