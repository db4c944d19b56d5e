import { expect, test } from 'vitest';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { systemFileTree } from '../source/file-tree.ts';
import { findOpenGap } from './find-open-gap.ts';

test('a source that is not there is told, also while the ledger has no unit of a stream', async () => {
  const { repository } = memoryLedger();
  const source = createDirectorySource('there/is/no/such/folder', systemFileTree);
  await expect(findOpenGap(source, repository, { accepts: async () => false })).rejects.toThrow(
    'There is no file or folder there/is/no/such/folder',
  );
});
