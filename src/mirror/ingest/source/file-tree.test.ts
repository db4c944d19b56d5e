import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFileTree } from './file-tree.ts';
import { readStreamFile } from './stream-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-tree-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a file is read whole', async () => {
  const path = join(folder, 'a.rcd');
  const bytes = Buffer.alloc(300_000, 'abc');
  writeFileSync(path, bytes);
  expect(bytes.equals(await systemFileTree.read(path))).toBe(true);
});

test.each(['pipe', 'folder', 'nothing'])('%s under the name of a file is refused at once', async (kind) => {
  const path = kind === 'folder' ? folder : join(folder, 'a.rcd');
  if (kind === 'pipe') expect(spawnSync('mkfifo', [path]).status).toBe(0);
  await expect(readStreamFile(systemFileTree, path)).rejects.toMatchObject({
    code: 'unreadable_file',
    message: expect.stringContaining(
      `Cannot read ${path}: ${kind === 'nothing' ? 'ENOENT' : 'it is a pipe'}`,
    ),
  });
});
