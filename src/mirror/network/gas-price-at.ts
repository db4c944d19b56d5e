import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import type { MaybePromise } from '../../values/map-maybe.ts';
import {
  createGasPriceReaders,
  type GasPriceSources,
  type ReadEarliest,
  type ReaderMemory,
  type ReadWithin,
} from './gas-price-readers.ts';
import { callGasPrice, findGasPriceBasis, type InitialGasPrice } from './gas-prices.ts';
import type { ReadFile } from './system-file.ts';

/** What a call paid for a unit of gas at a time, tinybars; null when nothing tells it. */
export type GasPriceAt = (time: bigint) => Promise<bigint | null>;

export interface GasPriceDependencies extends GasPriceSources {
  /** Whether what became known later answers for the time before. */
  readonly answersEarliest: boolean;
  readonly initialGasPrice: InitialGasPrice | null;
  /** What was read, and what was not found, counts as long as it stays the same. */
  readonly edition: () => MaybePromise<string>;
}

const NANOS_PER_HOUR = 3600n * NANOS_PER_SECOND;
const REMEMBERED = 50;

/** @see contracts/mirror-contracts.md section 4.3 */
export function createGasPriceAt(dependencies: GasPriceDependencies): GasPriceAt {
  const { answersEarliest, initialGasPrice } = dependencies;
  const remember = (edition: string) => ({
    edition,
    readers: createGasPriceReaders(dependencies, createMemory()),
  });
  let memory = remember('');
  return async (time) => {
    const edition = await dependencies.edition();
    if (edition !== memory.edition) memory = remember(edition);
    // What a slow look finds stays with the edition under which it began.
    const { readers } = memory;
    const bounds = { lower: null, upper: time };
    const basis = await findGasPriceBasis(readers, bounds, answersEarliest ? time : null, initialGasPrice);
    return 'missing' in basis
      ? null
      : callGasPrice(basis.schedule, basis.rates, time - (time % NANOS_PER_HOUR));
  };
}

/** Times between which nothing else begins to count. */
interface Span<T> {
  readonly from: bigint;
  readonly until: bigint;
  readonly read: ReadFile<T> | null;
}

/** For bounds that are open below. */
function createMemory(): ReaderMemory {
  return {
    within<T>(read: ReadWithin<T>, emptySince = async (_time: bigint) => 0n): ReadWithin<T> {
      let spans: readonly Span<T>[] = [];
      return async (bounds) => {
        const time = bounds.upper ?? 0n;
        const known = spans.find(({ from, until }) => from <= time && time <= until);
        if (known !== undefined) return known.read;
        const found = await read(bounds);
        const from = found?.since ?? found?.timestamp ?? (await emptySince(time));
        const others = spans.filter((span) => span.from !== from);
        spans = [{ from, until: time, read: found }, ...others].slice(0, REMEMBERED);
        return found;
      };
    },
    earliest<T>(read: ReadEarliest<T>): ReadEarliest<T> {
      let known: { readonly read: ReadFile<T> | null } | null = null;
      return async () => {
        known ??= { read: await read() };
        return known.read;
      };
    },
  };
}
