import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../../values/clock.ts';
import { timeLimit } from '../../../../values/time-limit.ts';
import { IngestError } from '../../errors.ts';
import type { BucketAccessPlan } from './bucket-access.ts';
import {
  bucketError,
  cutAnswer,
  endlessList,
  isCutAnswer,
  lateList,
  regionTold,
  unreadableList,
} from './bucket-errors.ts';
import { afterFolder, MAX_OBJECT_BYTES, type ObjectStore } from './object-store.ts';
import type { GetObjectCommandOutput, S3Client } from './s3-client.ts';

interface S3StoreParts {
  readonly plan: BucketAccessPlan;
  readonly clock: Clock;
  readonly limits?: S3Limits;
}

/** How long a request may take and how often it is made. */
export interface S3Limits {
  readonly connectMs: number;
  /** To the begin of the answer, and of silence while it comes. */
  readonly silentMs: number;
  /** To the end of a listing, which a store may send byte by byte. */
  readonly listingMs: number;
  /** Of one request, and of one object whose body broke off. Longer outages are waited for elsewhere. */
  readonly attempts: number;
}

/** All attempts together take no longer than the 30 s of contracts/streams.md section 8. */
export const S3_LIMITS: S3Limits = { connectMs: 5_000, silentMs: 8_000, listingMs: 30_000, attempts: 3 };
/** Of one call: a thousand keys of the greatest length, escaped, are less. */
const MAX_LISTING_BYTES = 8 * 2 ** 20;
/** Downloads ahead and listings of all nodes. */
const MAX_SOCKETS = 64;
const CUT_PAUSE_MS = 100;

type Sdk = typeof import('./s3-client.ts');

/**
 * A bucket behind the SDK, which is loaded with the first request.
 *
 * Credentials are found as the SDK finds them: environment, profile, web identity, role of the machine.
 */
export function createS3ObjectStore({ clock, limits = S3_LIMITS, plan }: S3StoreParts): ObjectStore {
  let current = plan;
  let client: { readonly s3: S3Client; readonly sdk: Sdk } | null = null;
  const opened = async (): Promise<{ readonly s3: S3Client; readonly sdk: Sdk }> => {
    // Asking for a loaded module costs as much as signing a request.
    if (client !== null) return client;
    const sdk = await import('./s3-client.ts');
    client ??= { sdk, s3: openClient(sdk, current, limits) };
    return client;
  };
  const close = (): void => {
    client?.s3.destroy();
    client = null;
  };
  /** Follows the bucket into its region, once. */
  const moved = (error: unknown): boolean => {
    const region = regionTold(error);
    if (current.isRegionChosen || region === null || region === current.region) {
      return false;
    }
    current = { ...current, region };
    close();
    return true;
  };
  const asked = async <T>(
    ask: (client: { readonly s3: S3Client; readonly sdk: Sdk }) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    // One signal ends the listings of all nodes; that is not a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    for (let attempt = 1; ; ) {
      const { region } = current;
      try {
        return await ask(await opened());
      } catch (error) {
        if (signal?.aborted === true) throw error;
        // Another request may have followed it meanwhile.
        if (moved(error) || region !== current.region) continue;
        // The SDK asks again for what was not answered, not for an answer that is not whole.
        if (!isCutAnswer(error) || attempt >= limits.attempts) throw bucketError(error, current, clock.now());
        await pause(CUT_PAUSE_MS * attempt++);
      }
    }
  };
  const payer = plan.paysForRequests ? ({ RequestPayer: 'requester' } as const) : {};

  return {
    list: ({ after = null, maxKeys, prefix }, signal) =>
      asked(async ({ s3, sdk }) => {
        const command = new sdk.ListObjectsV2Command({
          Bucket: plan.bucket,
          Prefix: prefix,
          Delimiter: '/',
          MaxKeys: maxKeys,
          ...(after === null ? {} : { StartAfter: after }),
          ...payer,
        });
        command.middlewareStack.add(
          (next) => async (args) => {
            const result = await next(args);
            cutAtEnd((result.response as { readonly body: IncomingMessage }).body, plan);
            return result;
          },
          { step: 'deserialize', priority: 'low' },
        );
        const limit = timeLimit(limits.listingMs, signal);
        const sent = s3.send(command, { abortSignal: limit.signal }).catch((error) => {
          const isLate = limit.signal.aborted && signal?.aborted !== true;
          throw isLate ? lateList(plan, limits.listingMs) : error;
        });
        const answer = await sent.finally(limit.end);
        // The SDK makes an empty list of any answer with the status of one.
        if (answer.IsTruncated === undefined) throw unreadableList(plan);
        const objects = (answer.Contents ?? []).map(({ Key = '', Size = 0 }) => ({ key: Key, size: Size }));
        const folders = (answer.CommonPrefixes ?? []).map(({ Prefix = '' }) => Prefix);
        const [object = '', folder = ''] = [objects.at(-1)?.key, folders.at(-1)];
        const last = folder > object ? afterFolder(folder) : object;
        if (objects.length + folders.length > maxKeys)
          throw endlessList(plan, `has more than the ${maxKeys} entries that were requested`);
        // Walks go on from here: they would never end.
        if (last !== '' && last <= (after ?? '')) throw endlessList(plan, 'does not advance');
        return { objects, folders, next: answer.IsTruncated === true && last !== '' ? last : null };
      }, signal),

    get: (key, size, signal) =>
      asked(async ({ s3, sdk }) => {
        const command = new sdk.GetObjectCommand({ Bucket: plan.bucket, Key: key, ...payer });
        const options = signal === undefined ? {} : { abortSignal: signal };
        try {
          return await bodyOf(s3.send(command, options), { path: `${plan.name}/${key}`, size }, signal);
        } catch (error) {
          if (isMissingKey(error)) return null;
          throw error;
        }
      }, signal),
    close,
  };
}

/** Ends a listing that is too large before it is read whole, as the SDK does. */
function cutAtEnd(body: IncomingMessage, plan: BucketAccessPlan): void {
  let read = 0;
  body.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MAX_LISTING_BYTES)
      body.destroy(endlessList(plan, `is larger than ${MAX_LISTING_BYTES} bytes`));
  });
  // Listening has made it flow; who reads it begins in a moment.
  body.pause();
}

function openClient(sdk: Sdk, plan: BucketAccessPlan, limits: S3Limits): S3Client {
  const { endpoint, isPathStyle, isSigned, payingProject, region } = plan;
  const sockets = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const s3 = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: isPathStyle,
    // The signer is asked nothing; credentials that nobody uses keep the SDK from looking for some.
    ...(isSigned
      ? {}
      : {
          signer: { sign: async (request) => request },
          credentials: { accessKeyId: '', secretAccessKey: '' },
        }),
    maxAttempts: limits.attempts,
    // Other stores do not know the checksums of this provider.
    ...(endpoint === null
      ? {}
      : { requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.silentMs,
      socketTimeout: limits.silentMs,
      throwOnRequestTimeout: true,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
  });
  // It blanks every question and answer for a log that nobody keeps.
  s3.middlewareStack.remove('loggerMiddleware');
  if (payingProject !== null) {
    s3.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { headers: Record<string, string> };
        request.headers['x-goog-user-project'] = payingProject;
        return next(args);
      },
      { step: 'build', name: 'payingProject' },
    );
  }
  return s3;
}

/** Reads a body to its end; what is larger than allowed is left. */
async function bodyOf(
  answering: Promise<GetObjectCommandOutput>,
  { path, size }: { readonly path: string; readonly size: number | null },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { Body: body, ContentLength: length } = await answering;
  const stream = body as unknown as AsyncIterable<Uint8Array> & { destroy(): void };
  const end = () => stream.destroy();
  signal?.addEventListener('abort', end, { once: true });
  const chunks: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of stream) {
      read += chunk.length;
      if (read > MAX_OBJECT_BYTES) {
        throw new IngestError('unreadable_file', `${path} is larger than ${MAX_OBJECT_BYTES} bytes`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof IngestError || signal?.aborted === true) throw error;
    throw cutAnswer(`after ${read} bytes: ${error instanceof Error ? error.message : ''}`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
  const expected = size ?? length ?? read;
  if (read !== expected) throw cutAnswer(`${read} of ${expected} bytes came`);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** A store that may not be listed says instead that access is denied, which stays an error. */
function isMissingKey(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}
