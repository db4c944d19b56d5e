import type { Clock } from '../../values/clock.ts';
import { decodeCbor } from '../match/auxdata/auxdata.ts';
import { base58 } from '../metadata/base58.ts';
import { contentHash, readMetadataHash } from '../metadata/metadata-hash.ts';
import type { SourceGateway } from '../metadata/source-gateway.ts';
import { findMetadata } from './code-regions.ts';

/** The metadata that a code on chain names, or why they are not there. */
export type OriginalMetadata =
  | { readonly kind: 'found'; readonly metadata: string }
  /** `unnamed`: the code names none that IPFS knows. `not-asked`: no gateway is configured. `missing`: it has none. */
  | { readonly kind: 'unnamed' | 'not-asked' | 'missing' };

/** Finds metadata by the hash in a code. */
export type FindMetadata = (onchainRuntime: Uint8Array) => Promise<OriginalMetadata>;

/** People wait for the page. */
const LONGEST_WAIT_MS = 3_000;
/** Somebody may publish them later. */
const MISSING_FOR_MS = 600_000;
const MOST_KEPT = 200;

/**
 * Asks the gateway for the metadata of a code, at most once for each hash at a time.
 *
 * Bytes that do not have the hash are as good as none.
 */
export function createFindMetadata(gateway: SourceGateway | null, clock: Clock): FindMetadata {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<OriginalMetadata> }>();

  async function ask(own: SourceGateway, cid: string, hash: string): Promise<OriginalMetadata> {
    const listed = { m: { keccak256: '', urls: [`dweb:/ipfs/${cid}`] } };
    try {
      const { m } = await own.fetch(listed, AbortSignal.timeout(LONGEST_WAIT_MS));
      const isRight = m !== undefined && contentHash('ipfs', Buffer.from(m, 'utf8')) === hash;
      return isRight ? { kind: 'found', metadata: m } : { kind: 'missing' };
    } catch {
      // The wait was too long.
      return { kind: 'missing' };
    }
  }

  return async (onchainRuntime) => {
    const hash = ipfsHashOf(onchainRuntime);
    if (hash === null) return { kind: 'unnamed' };
    if (gateway === null) return { kind: 'not-asked' };
    const now = clock.now();
    const known = kept.get(hash);
    if (known !== undefined && (now - known.at < MISSING_FOR_MS || (await known.answer).kind === 'found'))
      return known.answer;
    const answer = ask(gateway, base58(Buffer.from(hash, 'hex')), hash);
    kept.delete(hash);
    kept.set(hash, { at: now, answer });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return answer;
  };
}

/** The multihash at the end of a code, hex; null when it has none. */
function ipfsHashOf(code: Uint8Array): string | null {
  const last = findMetadata(code).at(-1);
  if (last === undefined || last.end !== code.length) return null;
  const decoded = decodeCbor(code.subarray(last.start, last.end - 2))?.value;
  const found = readMetadataHash(decoded);
  return found?.kind === 'ipfs' ? found.hash : null;
}
