import { IngestError } from '../../../../src/mirror/ingest/errors.ts';
import { expectHash, sameBytes, sha384 } from '../../../../src/mirror/ingest/sha384.ts';
import type { SourcePosition, StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import type {
  StreamUnit,
  UnitDemands,
  VerifiedUnit,
} from '../../../../src/mirror/ingest/units/stream-unit.ts';
import type { StreamItem } from '../../../../src/mirror/items/stream-item.ts';
import type { MessageObject } from '../../../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../../../src/mirror/vocabulary/response-codes.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';

/** A format that no network has: one item, sealed together with the hash of the unit before. */
export interface MadeUpUnit {
  readonly number: bigint;
  readonly instant: ConsensusTimestamp;
  readonly previousHash: Uint8Array | null;
  readonly hash: Uint8Array;
  readonly item: StreamItem;
  readonly seal: Uint8Array;
}

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const NO_HASH = new Uint8Array(48);

/**
 * A chain of units, one a second.
 *
 * @param dataOf what the transaction of a unit is. Default: an empty transfer.
 */
export function madeUpUnits(
  count: number,
  dataOf: (index: number) => MessageObject = () => ({ cryptoTransfer: {} }),
): readonly MadeUpUnit[] {
  const units: MadeUpUnit[] = [];
  for (let index = 0; index < count; index++) {
    const instant = consensusTimestamp(START + BigInt(index) * SECOND);
    const data = dataOf(index);
    const status = RESULT.SUCCESS;
    const item = ledgerItem(
      { consensus: instant, validStart: instant, payer: 2n, data, status, fee: 0n, node: null },
      { shard: 0n, realm: 0n },
    );
    const previousHash = units.at(-1)?.hash ?? null;
    const hash = sha384(previousHash ?? NO_HASH, item.transaction, item.record);
    units.push({ number: BigInt(index), instant, previousHash, hash, item, seal: sha384(hash) });
  }
  return units;
}

/** What the ledger's importer sees of one. */
export function asStreamUnit(unit: MadeUpUnit): StreamUnit {
  const name = `${unit.number}.madeup`;
  return {
    instant: unit.instant,
    name,
    isThere: true,
    verify: (demands) => verify(name, unit, demands),
    absence: () => Promise.reject(new Error(`${name} is there`)),
    previousHash: async () => unit.previousHash,
  };
}

/** One of which only the seal is known; a false seal proves nothing. */
export function announced(unit: MadeUpUnit): StreamUnit {
  const { name, ...rest } = asStreamUnit(unit);
  const isProven = sameBytes(unit.seal, sha384(unit.hash));
  return {
    ...rest,
    name,
    isThere: false,
    async absence() {
      const error = isProven ? new IngestError('record_file_missing', `${name} is sealed and missing`) : null;
      const rejections = [{ node: 'sealer', code: 'bad_signature' }];
      return { error, reason: `${name} is announced by a false seal: it is left out`, rejections };
    },
  };
}

async function verify(name: string, unit: MadeUpUnit, demands: UnitDemands): Promise<VerifiedUnit> {
  const { hash, item, number, previousHash, seal } = unit;
  expectHash(
    'file_hash_mismatch',
    `Hash of ${name}`,
    sha384(previousHash ?? NO_HASH, item.transaction, item.record),
    hash,
  );
  if (demands.mode === 'signatures' && !sameBytes(seal, sha384(hash))) {
    demands.onRejected?.('sealer', 'bad_signature');
    throw new IngestError('bad_signature', `The seal of ${name} does not hold`);
  }
  const expected = demands.previous?.hash ?? null;
  if (expected !== null && !(await demands.gaps?.accepts(expected, previousHash ?? NO_HASH, unit.instant))) {
    expectHash('chain_mismatch', `Previous hash of ${name}`, expected, previousHash ?? NO_HASH);
  }
  return {
    header: {
      kind: 'block',
      name,
      version: 0,
      hapiVersion: null,
      blockNumber: number,
      hash,
      previousHash: previousHash ?? NO_HASH,
      root: null,
      isNative: false,
      fileHash: hash,
      size: item.transaction.length + item.record.length,
      verification: demands.mode === 'signatures' ? 'signatures' : 'chain',
    },
    items: [item],
    sidecars: [],
    sidecarRecords: [],
    tree: null,
    rejectedSignatures: [],
  };
}

/** Lists by number, some names a call, and tells what it was asked for. */
export function pagedSource(units: readonly StreamUnit[], perPage: number, events: string[]): StreamSource {
  const numberOf = ({ name }: StreamUnit) => BigInt(name.split('.')[0] ?? '');
  async function* pages(from: bigint) {
    for (let at = from; ; ) {
      const page = units.filter((unit) => numberOf(unit) >= at).slice(0, perPage);
      const last = page.at(-1);
      if (last === undefined) return;
      events.push(`listed from ${at}`);
      yield page;
      at = numberOf(last) + 1n;
    }
  }
  return {
    name: 'made up',
    addressBook: async () => null,
    list: async (after) => ({ older: [], pages: pages((after?.blockNumber ?? -1n) + 1n) }),
  };
}

/** A source that yields units as they arrive, until it is let go. */
export interface LiveSource extends StreamSource {
  arrive(unit: StreamUnit): void;
  /** Where the walk that is open began; null when none is open. */
  readonly openFrom: SourcePosition | 'begin' | null;
}

export function liveSource(): LiveSource {
  const arrived: StreamUnit[] = [];
  let wake = (): void => {};
  let openFrom: LiveSource['openFrom'] = null;
  async function* pages(after: SourcePosition | null, signal: AbortSignal | undefined) {
    openFrom = after ?? 'begin';
    try {
      while (signal?.aborted !== true) {
        if (arrived.length > 0) yield arrived.splice(0);
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
            signal?.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      }
    } finally {
      openFrom = null;
    }
  }
  return {
    name: 'live',
    addressBook: async () => null,
    list: async (after, signal) => ({ older: [], pages: pages(after, signal) }),
    arrive(unit) {
      arrived.push(unit);
      wake();
    },
    get openFrom() {
      return openFrom;
    },
  };
}
