import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../values/clock.ts';
import {
  type CompilerDownload,
  type CompilerKind,
  type CompilerLanguage,
  type CompilerSource,
  listCompilers,
  type WantedBuild,
} from '../compiler-catalog.ts';
import { isBuildOf, isShortVersion } from '../compiler-version.ts';

/** How soon a job can have a compiler: it is there, or it is fetched first. */
export type Availability = 'bundled' | 'folder' | 'kept' | 'fetchable';

/** One compiler that jobs can have. */
export interface StockedCompiler {
  readonly language: CompilerLanguage;
  /** With its commit where that is known. */
  readonly version: string;
  readonly kind: CompilerKind;
  readonly availability: Availability;
  /** Where it comes from, for people; never a path of this machine. */
  readonly from: string;
}

/** All compilers that jobs can have. */
export type CompilerStock = ReturnType<typeof createCompilerStock>;

/** What the stock is made of. */
interface CompilerStockParts {
  readonly sources: readonly {
    readonly source: CompilerSource;
    readonly availability: Availability;
    readonly from: string;
  }[];
  /** Places that jobs may download from. */
  readonly downloads: readonly { readonly download: CompilerDownload; readonly from: string }[];
  readonly clock: Clock;
}

const PRESENT_KEPT_MS = 5000;
const OFFERS_KEPT_MS = 600_000;
/** A page is not held longer by a list that is far away; the next one has it. */
const WAIT_TIMEOUT_MS = 1000;

/** Lists what all places have, asking disks every few seconds and servers every few minutes at most. */
export function createCompilerStock({ sources, downloads, clock }: CompilerStockParts) {
  let present: { readonly list: Promise<readonly StockedCompiler[]>; readonly at: number } | null = null;
  let offers: { readonly list: readonly StockedCompiler[]; readonly at: number } | null = null;
  let asking: Promise<void> | null = null;

  const readPresent = async (): Promise<readonly StockedCompiler[]> => {
    const lists = await Promise.all(
      sources.map(async ({ source, availability, from }) =>
        (await listCompilers(source)).compilers.map(({ language, version, kind, source: name }) => ({
          ...{ language, version, kind, availability },
          from: availability === 'bundled' ? name : from,
        })),
      ),
    );
    return lists.flat();
  };

  const ask = async (): Promise<void> => {
    const lists = await Promise.all(
      downloads.map(async ({ download, from }) =>
        (await offersOf(download)).map(({ language, version, kind }) => ({
          ...{ language, version, kind, from },
          availability: 'fetchable' as const,
        })),
      ),
    );
    offers = { list: lists.flat(), at: clock.now() };
  };

  return {
    /** Newest first. What a download offers is missing while it has not answered. */
    async list(): Promise<readonly StockedCompiler[]> {
      const now = clock.now();
      if (present === null || now - present.at >= PRESENT_KEPT_MS) present = { list: readPresent(), at: now };
      if (downloads.length > 0 && (offers === null || now - offers.at >= OFFERS_KEPT_MS)) {
        asking ??= ask().finally(() => {
          asking = null;
        });
        if (offers === null) await Promise.race([asking, pause(WAIT_TIMEOUT_MS, undefined, { ref: false })]);
      }
      return merge(await present.list, offers?.list ?? []);
    },
  };
}

/** One that does not answer offers nothing; jobs that need it, and `compilers check`, say why. */
async function offersOf(download: CompilerDownload): Promise<readonly WantedBuild[]> {
  try {
    // Native builds are never fetched for a job.
    return (await download.offers()).filter(({ kind }) => kind === 'wasm');
  } catch {
    return [];
  }
}

/** Leaves out offers of what is present; those tell the commit of packages that do not. */
function merge(
  present: readonly StockedCompiler[],
  offers: readonly StockedCompiler[],
): readonly StockedCompiler[] {
  const named = present.map((compiler) => {
    if (!isShortVersion(compiler.version)) return compiler;
    const full = offers.find((offer) => isSame(offer, compiler) && offer.version.includes('+'));
    return full === undefined ? compiler : { ...compiler, version: full.version };
  });
  const others = offers.filter(
    (offer, index) =>
      !named.some((compiler) => isSame(compiler, offer)) &&
      !offers.slice(0, index).some((earlier) => isSame(earlier, offer)),
  );
  return [...named, ...others].sort(newestFirst);
}

function isSame(left: WantedBuild, right: WantedBuild): boolean {
  return (
    left.language === right.language &&
    left.kind === right.kind &&
    (isBuildOf(left.version, right.version) || isBuildOf(right.version, left.version))
  );
}

const LANGUAGES: readonly CompilerLanguage[] = ['solc', 'vyper', 'fe'];

function newestFirst(left: StockedCompiler, right: StockedCompiler): number {
  const byLanguage = LANGUAGES.indexOf(left.language) - LANGUAGES.indexOf(right.language);
  return byLanguage || right.version.localeCompare(left.version, 'en', { numeric: true });
}
