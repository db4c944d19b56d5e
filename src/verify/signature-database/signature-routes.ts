import { setImmediate } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import type { Clock } from '../../values/clock.ts';
import type { ScanScheduler } from '../contracts/scan-scheduler.ts';
import { invalidParameter, shorten } from '../errors.ts';
import { goneSignal } from '../following/gone-signal.ts';
import { queryText } from '../query-text.ts';
import * as schemas from '../schemas.ts';
import type { SignatureType } from '../signatures.ts';
import type { VerifyScope } from '../verify-scope.ts';
import { searchSignatures } from './search-signatures.ts';
import type { KnownSignature, SignatureRepository } from './signature-repository.sql.ts';

/** What the routes answer from. */
interface SignatureRoutesParts {
  readonly signatures: SignatureRepository;
  readonly scanTurns: ScanScheduler;
  readonly clock: Clock;
}

const hashList = (what: string) =>
  Type.Optional(Type.String({ description: `${what} hashes of 4 or 32 bytes, separated by commas.` }));
const filter = Type.Optional(
  Type.String({ description: 'Accepted without effect: all signatures come from verified contracts.' }),
);
const Entries = Type.Array(
  Type.Object(
    { name: Type.String(), filtered: Type.Boolean(), hasVerifiedContract: Type.Boolean() },
    { title: 'KnownSignature' },
  ),
);
const ByHash = Type.Record(Type.String(), Type.Union([Entries, Type.Null()]));
const Found = Type.Object(
  {
    ok: Type.Boolean(),
    result: Type.Object({ function: ByHash, event: ByHash, error: ByHash }),
  },
  { title: 'FoundSignatures' },
);
const Statistics = Type.Object({
  ok: Type.Boolean(),
  result: Type.Object({
    count: Type.Object({ function: Type.Integer(), event: Type.Integer(), error: Type.Integer() }),
    metadata: Type.Object({ refreshed_at: Type.String() }),
  }),
});
const tags = ['verify'];
const config = { errorForm: 'signature_database' } as const;
/** Looked up at once; between two parts other requests have their turn. */
const HASHES_AT_ONCE = 50;
/** Clients send parameters that only other servers know, and empty ones. */
const validatorCompiler = () => () => true;

/**
 * Signatures of everything verified, in the form that `cast`, explorers and decoders ask for.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function addSignatureRoutes(
  scope: VerifyScope,
  { signatures, clock, scanTurns }: SignatureRoutesParts,
): void {
  const count = createSignatureCounter(signatures, clock);
  const answers = (answer: typeof Found | typeof Statistics) => ({
    200: answer,
    400: schemas.SignatureError,
  });

  scope.get(
    '/signature-database/v1/lookup',
    {
      config,
      validatorCompiler,
      schema: {
        tags,
        summary: 'Signatures by selector or topic',
        querystring: Type.Object({
          function: hashList('Function'),
          event: hashList('Event'),
          error: hashList('Error'),
          filter,
        }),
        response: answers(Found),
      },
    },
    async ({ query }, reply) => {
      const named = async (type: SignatureType, none: null | [], lookIn: readonly SignatureType[]) => {
        const found: Record<string, ReturnType<typeof viewName>[] | null> = {};
        for (const [index, hash] of readHashes(query, type).entries()) {
          if (index % HASHES_AT_ONCE === HASHES_AT_ONCE - 1) await setImmediate();
          const names = await namesOf(hash, lookIn);
          found[hash.text] = names.length === 0 ? none : names.map(viewName);
        }
        return found;
      };
      const [functions, events, errors] = await Promise.all([
        // Clients ask for the selector of an error as if it were a function's.
        named('function', null, ['function', 'error']),
        named('event', [], ['event']),
        named('error', null, ['error']),
      ]);
      reply.header('cache-control', 'public, max-age=60');
      return { ok: true, result: { function: functions, event: events, error: errors } };
    },
  );

  async function namesOf(hash: RequestedHash, types: readonly SignatureType[]): Promise<readonly string[]> {
    const lists = await Promise.all(types.map((type) => signatures.listByHash(type, hash.digits)));
    return [...new Set(lists.flat())];
  }

  scope.get(
    '/signature-database/v1/search',
    {
      config,
      validatorCompiler,
      schema: {
        tags,
        summary: 'Signatures by text, at most 100 of each kind',
        querystring: Type.Object({
          query: Type.String({ description: '* matches any characters and ? one; case-sensitive.' }),
          filter,
        }),
        response: answers(Found),
      },
    },
    async ({ query }, reply) => {
      const pattern = readPattern(query);
      const gone = goneSignal(reply.raw);
      const found = await scanTurns.run((scan) => searchSignatures(signatures, pattern, scan, gone));
      reply.header('cache-control', 'public, max-age=60');
      return {
        ok: true,
        result: {
          function: groupByHash(found.function, SELECTOR_DIGITS),
          event: groupByHash(found.event, TOPIC_DIGITS),
          error: groupByHash(found.error, SELECTOR_DIGITS),
        },
      };
    },
  );

  scope.get(
    '/signature-database/v1/stats',
    {
      config,
      validatorCompiler,
      schema: { tags, summary: 'How many signatures are known', response: answers(Statistics) },
    },
    async (_request, reply) => {
      const { kinds, countedAt } = await count();
      reply.header('cache-control', 'public, max-age=60');
      const metadata = { refreshed_at: new Date(countedAt).toISOString() };
      return { ok: true, result: { count: kinds, metadata } };
    },
  );
}

const SELECTOR_DIGITS = 8;
const TOPIC_DIGITS = 64;

/** Keyed by the first digits of the hashes. */
function groupByHash(found: readonly KnownSignature[], digits: number) {
  const groups: Record<string, ReturnType<typeof viewName>[]> = {};
  for (const { hash, signature } of found) {
    const key = `0x${hash.slice(0, digits)}`;
    groups[key] = [...(groups[key] ?? []), viewName(signature)];
  }
  return groups;
}

/** All that is here comes from verified contracts, so nothing is filtered. */
function viewName(name: string) {
  return { name, filtered: false, hasVerifiedContract: true };
}

/** A hash as it was written, and its digits. */
interface RequestedHash {
  readonly text: string;
  /** Lower case, without 0x: 8 or 64. */
  readonly digits: string;
}

const HASH = /^0x(?:[0-9a-f]{8}|[0-9a-f]{64})$/i;
const PATTERN = /^[\w$()[\],*?]+$/;
const MAX_PATTERN_LENGTH = 200;

/** Reads the hashes that a list separated by commas names. @throws VerifyRequestError `invalid_parameter` */
function readHashes(query: unknown, name: SignatureType): readonly RequestedHash[] {
  const texts = queryText(query, name).split(',');
  return texts.filter((text) => text !== '').map((text) => readHash(name, text));
}

function readHash(name: string, text: string): RequestedHash {
  if (HASH.test(text)) return { text, digits: text.slice(2).toLowerCase() };
  throw invalidParameter(
    `request/query/${name} must list hashes of 4 or 32 bytes as 0x-prefixed hex, separated by commas; ` +
      `"${shorten(text)}" is not one`,
  );
}

/** Reads what to search for. @throws VerifyRequestError `invalid_parameter` */
function readPattern(query: unknown): string {
  const pattern = queryText(query, 'query');
  if (pattern.length <= MAX_PATTERN_LENGTH && PATTERN.test(pattern)) return pattern;
  throw invalidParameter(
    `request/query/query must be a signature of at most ${MAX_PATTERN_LENGTH} characters, such as ` +
      'transfer(address,uint256); * stands for any characters and ? for one',
  );
}

const ROWS_AT_ONCE = 2000;
const KEEP_MS = 60_000;

/** How many signatures of each kind there were at a moment, milliseconds since the epoch. */
interface SignatureStatistics {
  readonly kinds: Readonly<Record<SignatureType, number>>;
  readonly countedAt: number;
}

/** Counts signatures in parts, at most once a minute, and once for all who ask meanwhile. */
export function createSignatureCounter(
  repository: SignatureRepository,
  clock: Clock,
): () => Promise<SignatureStatistics> {
  let kept: SignatureStatistics | null = null;
  let running: Promise<SignatureStatistics> | null = null;

  async function count(): Promise<SignatureStatistics> {
    const kinds = { function: 0, event: 0, error: 0 };
    const countedAt = clock.now();
    for (let last: string | null = ''; last !== null; ) {
      const part = await repository.countAfter(last, ROWS_AT_ONCE);
      for (const type of ['function', 'event', 'error'] as const) kinds[type] += part.kinds[type];
      last = part.last;
      await setImmediate();
    }
    kept = { kinds, countedAt };
    return kept;
  }

  return async () => {
    if (kept !== null && clock.now() - kept.countedAt < KEEP_MS) return kept;
    running ??= count().finally(() => {
      running = null;
    });
    return running;
  };
}
