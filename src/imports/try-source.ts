import type { LedgerLookup } from '../mirror/ingest/decode/known-entities.ts';
import type { Pause } from '../mirror/ingest/pause.ts';
import type { ImportReport } from '../mirror/ingest/report/import-report.ts';
import { createImporter, type ImporterOptions } from '../mirror/ingest/run/importer.ts';
import type { SourceListing, SourcePosition, StreamSource } from '../mirror/ingest/units/stream-source.ts';
import type { LedgerRepository } from '../mirror/ledger/ledger-repository.ts';
import type { Clock } from '../values/clock.ts';
import { consensusTimestamp, NANOS_PER_MILLISECOND } from '../values/consensus-timestamp.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** What the operator's ledger knows; only read. */
export type StoredLedger = Pick<LedgerRepository, 'lastUnit' | 'chainEnd' | 'nodeKeysAt' | 'knownTrust'>;

interface TrialParts {
  /** Null while there is none. */
  readonly stored: StoredLedger | null;
  /** An empty ledger that takes the unit. */
  readonly empty: { readonly ledger: LedgerRepository; readonly lookup: LedgerLookup };
  readonly options: ImporterOptions;
  /** Whether nothing in it is nothing wrong, as in a folder that still fills. */
  readonly mayBeEmpty: boolean;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** What became of a try, in words. */
export interface SourceTrial {
  readonly ok: boolean;
  readonly detail: string;
}

/** A network that lives has units of this time. */
const RECENT_MS = 120_000;
const WAIT_TIMEOUT_MS = 60_000;
/**
 * Lists a source where an import would continue, reads one unit, and verifies it as an import would.
 *
 * The unit is taken into an empty ledger, with the keys that the stored one knows; that is not changed.
 */
export async function trySource(source: StreamSource, parts: TrialParts): Promise<SourceTrial> {
  const { clock, empty, mayBeEmpty, options, pause, stored } = parts;
  const end = (await stored?.chainEnd()) ?? null;
  const from = await trialPosition(parts);
  const over = new AbortController();
  const ended = new AbortController();
  const importer = createImporter({
    repository: {
      ...empty.ledger,
      ...(stored === null || end === null
        ? {}
        : { nodeKeysAt: (time) => stored.nodeKeysAt(time), knownTrust: () => stored.knownTrust() }),
    },
    lookup: empty.lookup,
    source: {
      name: source.name,
      addressBook: () => source.addressBook(),
      list: async (_after, signal) => firstAlone(await source.list(from, signal)),
    },
    options: { ...options, start: null, end: null },
    clock,
  });
  const late = pause(WAIT_TIMEOUT_MS, ended.signal).then(() => {
    over.abort();
    return null;
  });
  try {
    const report = await Promise.race([importer.run(over.signal), late]);
    if (report === null) return wrong(`did not respond within ${WAIT_TIMEOUT_MS / 1000} s`);
    return describe(report, parts, importer.state().proof, source);
  } catch (error) {
    if (!(error instanceof LedgerlensError)) throw error;
    if (error.code !== 'nothing_to_import') return wrong(error.message);
    if (mayBeEmpty) return { ok: true, detail: 'can be read, but is still empty' };
    return wrong(nothingFound(from, clock));
  } finally {
    ended.abort();
  }
}

/** Before the last unit of the ledger, so that there is one to read; else where an import begins. */
async function trialPosition({ clock, options, stored }: TrialParts): Promise<SourcePosition | null> {
  const last = (await stored?.lastUnit()) ?? null;
  const end = (await stored?.chainEnd()) ?? null;
  if (last !== null) {
    const blockNumber = end?.blockNumber == null ? null : end.blockNumber - 1n;
    return {
      time: consensusTimestamp(last.consensusStart - 1n),
      blockNumber: blockNumber === null || blockNumber < 0n ? null : blockNumber,
      isNative: end?.isNative ?? false,
    };
  }
  const { start = null } = options;
  if (start === null) return null;
  const time = start === 'now' ? BigInt(clock.now() - RECENT_MS) * NANOS_PER_MILLISECOND : start - 1n;
  return { time: consensusTimestamp(time), blockNumber: null, isNative: false };
}

function firstAlone({ older, pages }: SourceListing): SourceListing {
  async function* first(): SourceListing['pages'] {
    for await (const page of pages) {
      const unit = page.find(({ isThere }) => isThere);
      if (unit === undefined) continue;
      yield [unit];
      return;
    }
  }
  return { older: older.slice(0, 0), pages: first() };
}

const STRENGTH = { none: 0, chain: 1, signatures: 2, strict: 2 } as const;

function describe(
  { refused: [refused], verification }: ImportReport,
  { options: { verify = 'signatures' } }: TrialParts,
  proof: string | null,
  source: StreamSource,
): SourceTrial {
  if (refused !== undefined) return wrong(`${refused.name}: ${refused.message} (${refused.code})`);
  const node = source.standing?.().node ?? null;
  const from = node === null ? '' : ` from ${node}`;
  const why = proof === null ? '' : `: ${proof}`;
  const detail = `can be read; a unit${from} has proof level "${verification}"${why}`;
  const isWeak = STRENGTH[verification ?? 'none'] < STRENGTH[verify];
  if (!isWeak) return { ok: true, detail };
  return wrong(
    `${detail}; MIRROR_VERIFY=${verify} requires more. Signatures are checked with MIRROR_LEDGER_ID (blocks) or ` +
      `MIRROR_ADDRESS_BOOK (record files); MIRROR_VERIFY=${verification} accepts this`,
  );
}

function nothingFound(from: SourcePosition | null, clock: Clock): string {
  if (from === null) return 'has no units: check its name and prefix';
  const time = new Date(Number(from.time / NANOS_PER_MILLISECOND)).toISOString();
  const now = new Date(clock.now()).toISOString();
  return `has no unit after ${time}: check its name and prefix, and the clock of this machine (${now})`;
}

function wrong(detail: string): SourceTrial {
  return { ok: false, detail };
}
