import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DirectAnswer } from '../http/direct-answer.ts';
import { inOnePiece, PACK_AT_ONCE_BYTES, PACK_FROM_BYTES, pack, packingOf } from '../http/packing.ts';
import { type MaybePromise, mapMaybe } from '../values/map-maybe.ts';
import { WATERMARK_HEADER, type Watermark } from './ledger/watermark.ts';
import { bytesOf, linkBelow, type ReadyAnswer, readyHeaders } from './ready-answer.ts';

/** What a ledger has, as far as what it shows without a question about a time depends on it: equal texts, equal answers. */
export type LedgerStamp = () => MaybePromise<string>;

/** An answer that was found, with what was made of it for those who take the same form. */
export interface FoundAnswer extends ReadyAnswer {
  /** Pattern of the route. */
  readonly route: string;
  readonly version: string;
  readonly bytes: number;
  sent?: Partial<Record<'gzip' | 'identity', { readonly as: string; readonly direct: DirectAnswer | null }>>;
}

/** Answers that everybody asks for, kept while the ledger stays as it is. */
export interface KeptAnswers {
  /** The kept answer of a target; reads it, and keeps it when it is about the newest. */
  answer<Found extends FoundAnswer>(target: string, read: () => MaybePromise<Found>): MaybePromise<Found>;
  /** One that is kept and still holds. */
  known(target: string): MaybePromise<FoundAnswer | null>;
  /** The ledger has just changed. */
  forget(): void;
  /** An answer as the router would send it; null for what only the router sends. */
  direct(
    find: () => MaybePromise<FoundAnswer | null>,
    headers: IncomingHttpHeaders,
  ): MaybePromise<DirectAnswer | null>;
}

interface KeptAnswerParts {
  readonly stamp: LedgerStamp;
  readonly watermark: Watermark;
  /** Called when the ledger has changed, before anything is read of it. */
  readonly changed: () => void;
  /** What stands before every path of the server for its clients. Default: nothing. */
  readonly root?: string;
}

/** The usual spelling, no bound and no filter: such an answer changes with the ledger alone. */
const NEWEST =
  /^\/api\/v1(?:\/[\w-]+)+(?:\?(?:limit=\d{1,3}|order=desc)(?:&(?:limit=\d{1,3}|order=desc))?)?$/;
/** Explorers ask for each list in two or three spellings; with {@link PACK_AT_ONCE_BYTES} it bounds the memory. */
const MAX_ANSWERS = 32;

/** For so long a look at the ledger serves those who come, unless this process commits: less than their way here takes. */
const SHARED_MS = 1;

/** A finished text of which the version is not known otherwise. */
export function foundText(route: string, answer: ReadyAnswer & { readonly body: string }): FoundAnswer {
  const { body } = answer;
  return { ...answer, route, version: hash('sha1', body, 'base64url'), bytes: Buffer.byteLength(body) };
}

/**
 * Half of what clients of a list ask for is its newest page.
 *
 * The ledger is asked whether it changed, so a kept answer is hardly older than one that was read.
 *
 * @see docs/adr/0012-ready-responses.md
 */
export function createKeptAnswers({ changed, root = '', stamp, watermark }: KeptAnswerParts): KeptAnswers {
  const kept = new Map<string, { readonly at: string; readonly answer: MaybePromise<FoundAnswer> }>();
  let last: string | null = null;
  let present: { readonly stamp: MaybePromise<string>; readonly until: number } | null = null;
  const stampOnce = (): MaybePromise<string> => {
    const now = performance.now();
    if (present === null || now > present.until) present = { stamp: stamp(), until: now + SHARED_MS };
    return present.stamp;
  };
  const at = (target: string, now: string) => {
    const entry = kept.get(target);
    return entry?.at === now ? entry.answer : null;
  };

  function make(found: FoundAnswer, end: string | null, takesGzip: boolean): DirectAnswer | null {
    const { bytes, next = null, route, version } = found;
    if (takesGzip && bytes > PACK_AT_ONCE_BYTES) return null;
    const isPacked = takesGzip && bytes >= PACK_FROM_BYTES;
    const ready = readyHeaders({ ...found, next: linkBelow(root, next) }, version);
    const watermarked = end === null ? ready : [WATERMARK_HEADER, end, ...ready];
    let body: Buffer | string | null = null;
    return {
      statusCode: 200,
      route,
      headers: isPacked ? [...watermarked, 'content-encoding', 'gzip'] : watermarked,
      body() {
        body ??= inOnePiece(isPacked ? pack(bytesOf(found.body)) : bytesOf(found.body));
        return body;
      },
    };
  }

  return {
    answer<Found extends FoundAnswer>(target: string, read: () => MaybePromise<Found>): MaybePromise<Found> {
      if (!NEWEST.test(target)) return read();
      // Before it is read: what is committed in between must count as a change.
      return mapMaybe(stampOnce(), (now) => {
        const known = at(target, now);
        if (known !== null) return known as MaybePromise<Found>;
        if (now !== last) changed();
        last = now;
        const answer = read();
        if (!kept.has(target) && kept.size >= MAX_ANSWERS) kept.clear();
        kept.set(target, { at: now, answer });
        const forget = () => kept.delete(target);
        const measure = ({ bytes }: FoundAnswer) => {
          if (bytes > PACK_AT_ONCE_BYTES) forget();
        };
        if (answer instanceof Promise) answer.then(measure, forget);
        else measure(answer);
        return answer;
      });
    },
    known: (target) => (kept.has(target) ? mapMaybe(stampOnce(), (now) => at(target, now)) : null),
    forget() {
      present = null;
    },
    direct(find, headers) {
      // Comparing tags and other ways of packing are the route's.
      const packing = packingOf(headers);
      if (packing === null || headers['if-none-match'] !== undefined) return null;
      return mapMaybe(find(), (found) =>
        mapMaybe(found === null ? null : watermark(), (end) => {
          if (found === null) return null;
          const as = `${found.version} ${end}`;
          found.sent ??= {};
          const { sent } = found;
          const known = sent[packing];
          if (known?.as === as) return known.direct;
          const direct = make(found, end, packing === 'gzip');
          sent[packing] = { as, direct };
          return direct;
        }),
      );
    },
  };
}
