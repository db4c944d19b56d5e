import type { Clock } from '../../values/clock.ts';
import { timeLimit } from '../../values/time-limit.ts';
import { decodeCbor } from '../match/auxdata/auxdata.ts';
import { base58 } from '../metadata/base58.ts';
import { contentHash, readMetadataHash } from '../metadata/metadata-hash.ts';
import type { SourceGateway } from '../metadata/source-gateway.ts';
import { findMetadata } from './code-regions.ts';
import { type NamedSettings, settingsOfMetadata } from './metadata-settings.ts';

/** The settings of the metadata that a code on chain names, or why they are not there. */
export type OriginalSettings =
  | { readonly kind: 'found'; readonly settings: NamedSettings }
  /** `unnamed`: the code names none that IPFS knows. `not-asked`: no gateway is configured. `missing`: it has none. */
  | { readonly kind: 'unnamed' | 'not-asked' | 'missing' };

/** Finds the settings that a code was compiled with, by the hash of the metadata in it. */
export type FindOriginalSettings = (onchainRuntime: Uint8Array) => Promise<OriginalSettings>;

/** People wait for the page. */
const LONGEST_WAIT_MS = 3_000;
/** Somebody may publish them later. */
const MISSING_FOR_MS = 600_000;
const MOST_KEPT = 200;

/**
 * Asks the gateway for the metadata of a code, at most once for each hash at a time, and keeps what they say of settings.
 *
 * Bytes that do not have the hash are as good as none, as are metadata of another form.
 */
export function createFindOriginalSettings(
  gateway: SourceGateway | null,
  clock: Clock,
): FindOriginalSettings {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<OriginalSettings> }>();

  async function ask(own: SourceGateway, cid: string, hash: string): Promise<OriginalSettings> {
    const listed = { m: { keccak256: '', urls: [`dweb:/ipfs/${cid}`] } };
    try {
      const { m } = await own.fetch(listed, timeLimit(LONGEST_WAIT_MS));
      const isRight = m !== undefined && contentHash('ipfs', Buffer.from(m, 'utf8')) === hash;
      const settings = isRight ? settingsOfMetadata(m) : null;
      return settings === null ? { kind: 'missing' } : { kind: 'found', settings };
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
