import type { BlockSource } from '../mirror/ingest/block/block-source.ts';
import type { BlockUnit } from '../mirror/ingest/block/block-unit.ts';
import { systemPause } from '../mirror/ingest/pause.ts';
import type { ImporterOptions } from '../mirror/ingest/run/importer.ts';
import type { ProofCheck } from '../mirror/ingest/trust/prove-block.ts';
import type { LiveSource } from '../mirror/ingest/units/live-source.ts';
import type { StreamSource } from '../mirror/ingest/units/stream-source.ts';
import type { LedgerRepository } from '../mirror/ledger/ledger-repository.ts';
import type { RegisteredNodes } from '../mirror/ledger/registered-nodes.sql.ts';
import { systemClock } from '../values/clock.ts';
import type { ConsensusTimestamp } from '../values/consensus-timestamp.ts';

/** What sources know of the ledger that they are carried into. */
interface FollowedLedger {
  readonly repository: Pick<LedgerRepository, 'nodeKeysAt' | 'storedTimes'>;
  /** Of its imports. */
  readonly options: Pick<ImporterOptions, 'consensusRatio' | 'realm' | 'shard' | 'verify'>;
  /** Block nodes that the ledger registers. */
  readonly registered: RegisteredNodes;
  /** Checks proofs of blocks; made when the first source of blocks is. */
  readonly proofs: () => Promise<ProofCheck>;
}

const SYSTEM = { fetch, clock: systemClock, random: Math.random, pause: systemPause };

/** Makes a live source for a ledger; the code of each kind is loaded with its first source. */
export async function openLiveSource(
  settings: LiveSource,
  { options, proofs, registered, repository }: FollowedLedger,
): Promise<StreamSource> {
  const { consensusRatio = [1n, 3n], realm = 0n, shard = 0n, verify: mode = 'signatures' } = options;
  if (settings.kind === 'mirror') {
    const { createMirrorSource } = await import('../mirror/ingest/follow/mirror-source.ts');
    return createMirrorSource(settings, {
      ...SYSTEM,
      home: { shard, realm },
      storedTimes: repository.storedTimes,
    });
  }
  if (settings.kind === 'bucket') {
    const { createBucketSource } = await import('../mirror/ingest/source/bucket/bucket-source.ts');
    const nodesAt = async (time: ConsensusTimestamp) => (await repository.nodeKeysAt(time))?.nodes ?? null;
    const makeUnit = settings.content === 'blocks' ? await blockUnits(proofs) : null;
    return createBucketSource(settings, {
      ...SYSTEM,
      environment: process.env,
      mode,
      consensusRatio,
      nodesAt,
      makeUnit,
    });
  }
  const { createBlockNodeSource } = await import('../mirror/ingest/source/block-node/block-node-source.ts');
  return createBlockNodeSource(settings, { registered, makeUnit: await blockUnits(proofs) });
}

async function blockUnits(proofs: FollowedLedger['proofs']): Promise<(block: BlockSource) => BlockUnit> {
  const { createBlockUnits } = await import('../mirror/ingest/block/block-unit.ts');
  return createBlockUnits(await proofs());
}
