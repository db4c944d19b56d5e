import { timeLimit } from '../../values/time-limit.ts';
import type { Fetch } from '../chain/json-rpc-endpoint.ts';
import type { ListedSource } from './find-files.ts';

export type SourceGateway = ReturnType<typeof createSourceGateway>;

/** Limits and the gateway. */
interface SourceGatewayOptions {
  /** URL to which the CID is appended, for example `https://gateway.example/ipfs/`. */
  readonly ipfsUrl: string;
  readonly fetch: Fetch;
  /** One file may take this long, milliseconds. Default 10 000. */
  readonly timeoutMs?: number;
  /** All files of one job may take this long, milliseconds. Default 30 000. */
  readonly totalMs?: number;
  /** Larger files are given up. Bytes, default 2 MiB. */
  readonly maxBytes?: number;
  /** All files of one job together; the rest is not fetched. Bytes, default 30 MiB, as much as can be sent. */
  readonly maxTotalBytes?: number;
}

const AT_THE_SAME_TIME = 4;
/** Metadata that name more absent sources than any contract has are not fetched for. */
const MAX_SOURCES = 200;
const IPFS_URL = /^dweb:\/ipfs\/([1-9A-HJ-NP-Za-z]{46}|b[a-z2-7]{58})$/;
const GITHUB_PATH = /^(?:https:\/\/)?(?:www\.)?github\.com\/([^/?#]+\/[^/?#]+)\/(?:blob|raw)\/([^?#]+)$/;
const GITHUB_RAW = 'https://raw.githubusercontent.com/';

/**
 * Fetches sources that metadata name but no client sent: from the operator's IPFS gateway, and files that a path names on
 * GitHub from its raw host. Redirects are not followed. What comes back is not checked here.
 *
 * @see contracts/verification-engine.md section 9.3
 */
export function createSourceGateway(options: SourceGatewayOptions) {
  const { timeoutMs = 10_000, totalMs = 30_000, maxBytes = 2_097_152 } = options;
  const fetchOne = async (url: string, signal: AbortSignal, end: AbortSignal): Promise<Buffer | null> => {
    const limit = timeLimit(timeoutMs, signal, end);
    try {
      const response = await options.fetch(url, { redirect: 'error', signal: limit.signal });
      return response.ok ? await readLimited(response, maxBytes) : null;
    } catch {
      signal.throwIfAborted();
      // Network, time-out or redirect: the source stays missing, which the job says.
      return null;
    } finally {
      limit.end();
    }
  };
  return {
    /**
     * @param sources by path
     * @returns texts of those that could be had, by path; in no case an error, except the reason of `signal`.
     */
    async fetch(
      sources: Readonly<Record<string, ListedSource>>,
      signal: AbortSignal,
    ): Promise<Readonly<Record<string, string>>> {
      const pending = Object.entries(sources).slice(0, MAX_SOURCES);
      const found: [string, string][] = [];
      const { signal: end } = timeLimit(totalMs);
      let bytesLeft = options.maxTotalBytes ?? 31_457_280;
      const work = async () => {
        for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
          const [path, source] = next;
          for (const url of addressesOf(path, source, options.ipfsUrl)) {
            const bytes = end.aborted || bytesLeft <= 0 ? null : await fetchOne(url, signal, end);
            if (bytes === null) continue;
            bytesLeft -= bytes.length;
            if (bytesLeft >= 0) found.push([path, bytes.toString('utf8')]);
            break;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, work));
      return Object.fromEntries(found);
    },
  };
}

function addressesOf(path: string, { urls }: ListedSource, ipfsUrl: string): readonly string[] {
  const cids = urls.flatMap((url) => IPFS_URL.exec(url)?.[1] ?? []);
  const [, repository, file] = GITHUB_PATH.exec(path) ?? [];
  const raw = repository === undefined || file === undefined ? [] : [rawAddress(repository, file)];
  return [...cids.map((cid) => `${ipfsUrl}${cid}`), ...raw.flat()];
}

/** Nothing when dot segments would lead out of the repository. */
function rawAddress(repository: string, file: string): readonly string[] {
  const { href } = new URL(`${repository}/${file}`, GITHUB_RAW);
  return href.startsWith(`${GITHUB_RAW}${repository}/`) ? [href] : [];
}

async function readLimited(response: Response, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
