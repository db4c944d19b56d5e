import type { Clock } from '../../../values/clock.ts';
import { joinSignals } from '../../../values/joined-signal.ts';
import type { Log } from '../../../values/log.ts';
import { type BackOff, backOffMs, type Pause } from '../pause.ts';
import type { ImportReport } from '../report/import-report.ts';
import type { Importer } from '../run/importer.ts';
import type { StreamSource } from '../units/stream-source.ts';

/** A source that is looked at again and again. */
export interface WatchedSource {
  readonly importer: Importer;
  readonly source: Pick<StreamSource, 'changed' | 'close'>;
  readonly backOff: BackOff;
  /** Whether it is asked only when those before it have given nothing for {@link RESERVE_MS}. */
  readonly isReserve: boolean;
}

export interface WatchOptions {
  /** Between two looks at a source that does not tell by itself. */
  readonly periodMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly pause: Pause;
  readonly clock: Clock;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
}

/** @see contracts/streams.md section 16.2, threshold */
export const RESERVE_MS = 16_000;
/** How long an empty ledger waits for a better source that cannot be read. */
const BEGIN_MS = 60_000;
const HELD_BACK_MS = 200;
/** A source that tells by itself may forget to. */
const SAFETY_MS = 30_000;
/** One that tells again and again of nothing shall not keep a processor busy. */
const REST_MS = 20;
/** What was refused stays so until an operator changes something. */
const REFUSED_MS = 60_000;

/**
 * Looks at each source for itself until the signal is given: when it tells of something new, else once a period.
 *
 * A source that cannot be read, or whose next unit is refused, backs off, is logged once per reason and looked at again;
 * others continue meanwhile.
 *
 * @param sources in order of trust
 * @see docs/adr/0020-sources.md, contracts/streams.md section 11
 */
export async function watchSources(sources: readonly WatchedSource[], options: WatchOptions): Promise<void> {
  const { clock } = options;
  const beganMs = clock.now();
  const better = sources.filter(({ isReserve }) => !isReserve);
  const isServed = (): boolean => {
    const last = better.map(({ importer }) => importer.state().storedAtMs ?? beganMs);
    return clock.now() - Math.max(...last) < RESERVE_MS;
  };
  const haveLooked = new Set<WatchedSource>();
  /** What an empty ledger begins with is there for ever, so the best source that works says it. */
  const mayBegin = ({ importer }: WatchedSource, index: number): boolean =>
    importer.state().lastConsensusTimestamp !== null ||
    sources.slice(0, index).every((before) => haveLooked.has(before)) ||
    clock.now() - beganMs >= BEGIN_MS;
  await Promise.all(
    sources.map((watched, index) =>
      watchOne(watched, options, {
        isHeldBack: () => (watched.isReserve && isServed()) || !mayBegin(watched, index),
        hasLooked: () => haveLooked.add(watched),
      }),
    ),
  );
}

interface AmongOthers {
  /** Whether it has nothing to do, because a better source gives units or may still begin the ledger. */
  isHeldBack(): boolean;
  /** It gave what it has for now. */
  hasLooked(): void;
}

async function watchOne(
  { backOff, importer, source }: WatchedSource,
  options: WatchOptions,
  { hasLooked, isHeldBack }: AmongOthers,
): Promise<void> {
  const { log, pause, periodMs, random, signal } = options;
  const name = importer.state().source;
  let failures = 0;
  let unitsBefore = 0;
  let told: string | null = null;
  const failed = async (reason: string, code: string | null): Promise<void> => {
    // One that gives units is not left alone for longer and longer.
    const { units } = importer.state();
    failures = units > unitsBefore ? 1 : failures + 1;
    unitsBefore = units;
    const longestMs = code === 'source_refused' ? Math.max(REFUSED_MS, backOff.longestMs) : backOff.longestMs;
    told = reason;
    await pause(backOffMs(failures, { ...backOff, longestMs }, random), signal);
  };
  while (!signal.aborted) {
    if (isHeldBack()) {
      await importer.look();
      await pause(Math.min(periodMs, HELD_BACK_MS), signal);
      continue;
    }
    try {
      const report = await importer.run(signal);
      hasLooked();
      const refused = refusalOf(report, importer);
      if (refused !== null) {
        await failed(refused, null);
        continue;
      }
      if (told !== null) log.info({ source: name }, `${name} is read again`);
      failures = 0;
      told = null;
      await untilNews(source, report, options);
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err);
      if (told !== reason) log.error({ err }, `watching ${name} failed; retrying: ${reason}`);
      await failed(reason, codeOf(err));
    }
  }
}

/** Null when the run came to its end, or the unit may be whole by the next look. */
function refusalOf({ refused }: ImportReport, importer: Importer): string | null {
  const [first] = refused;
  return first === undefined || importer.state().state === 'idle' ? null : first.message;
}

async function untilNews(
  source: WatchedSource['source'],
  { units }: ImportReport,
  { pause, periodMs, signal }: WatchOptions,
): Promise<void> {
  if (source.changed === undefined) {
    await pause(periodMs, signal);
    return;
  }
  if (units === 0) await pause(REST_MS, signal);
  const { end, signal: either } = joinSignals(signal);
  try {
    // A source that cannot tell is looked at after a while, which shows what is wrong.
    await Promise.race([
      source.changed(either).catch(() => pause(periodMs, either)),
      pause(Math.max(SAFETY_MS, periodMs), either),
    ]);
  } finally {
    end();
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
