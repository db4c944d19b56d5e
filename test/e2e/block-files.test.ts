import { expect, test } from 'vitest';
import { blockSets, streamPath } from '../kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../support/shared-suites.ts';
import { startTestServer } from '../support/test-server.ts';

interface BlockAnswer {
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

/** What `GET /api/v1/blocks` answers after a folder was imported into an empty database. */
async function blocksOf(
  set: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BlockAnswer['blocks']> {
  const server = await startTestServer({ env });
  try {
    const [report] = await server.services.imports.run([streamPath(set)]);
    expect(report).toMatchObject({ units: 3, refused: [] });
    const answer = await fetch(`${server.url}/api/v1/blocks?order=asc`);
    return ((await answer.json()) as BlockAnswer).blocks;
  } finally {
    await server.close();
  }
}

describeShared('GET /api/v1/blocks after an import of block files', () => {
  test('shows wrapped record files by the hashes of their record files', async () => {
    const files = blockSets().find(({ set }) => set === 'blocks-wrapped-solo')?.files ?? [];
    expect(await blocksOf('blocks-wrapped-solo')).toMatchObject(
      files.map(({ block_number, consensus_start, count, hapi_version, wrapped }) => ({
        number: Number(block_number),
        hash: `0x${wrapped?.record_end_hash}`,
        previous_hash: `0x${wrapped?.record_start_hash}`,
        name: recordName(consensus_start ?? ''),
        hapi_version,
        count,
        // Of the record file that is inside, unpacked.
        size: expect.any(Number),
      })),
    );
  });

  test('shows native blocks by their roots', async () => {
    const files = blockSets().find(({ set }) => set === 'blocks-0.78')?.files ?? [];
    const env = { MIRROR_SHARD: '11', MIRROR_REALM: '12' };
    expect(await blocksOf('blocks-0.78', env)).toMatchObject(
      files.map(({ block_number, count, file, hapi_version, previous_root_hash, root_hash, size }) => ({
        number: Number(block_number),
        hash: `0x${root_hash}`,
        previous_hash: `0x${previous_root_hash}`,
        name: `${block_number.padStart(19, '0')}${file.slice(file.indexOf('.blk'))}`,
        hapi_version,
        count,
        size,
      })),
    );
  });
});

/** @param time seconds, a point and nine digits */
function recordName(time: string): string {
  const [seconds = '', nanos = ''] = time.split('.');
  const text = new Date(1000 * Number(seconds)).toISOString().slice(0, 19).replaceAll(':', '_');
  return `${text}.${nanos}Z.rcd`;
}
