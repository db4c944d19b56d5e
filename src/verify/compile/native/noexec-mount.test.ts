import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainNoexec, runNativeProcess } from './native-process.ts';

const MOUNTS = `overlay / overlay rw,relatime 0 0
/dev/vdb /data ext4 rw,nosuid,noexec,relatime 0 0
tmpfs /data/my\\040tools tmpfs rw 0 0
`;

describe('explainNoexec', () => {
  test.each([
    ['/data/compilers/run/x', true],
    ['/data/my tools/x', false],
    ['/database/x', false],
    ['/usr/bin/x', false],
  ])('%s: %s', (path, isNamed) => {
    expect(explainNoexec(path, MOUNTS)).toEqual(
      isNamed ? expect.stringContaining('on /data, which is mounted noexec') : null,
    );
  });

  test('says nothing where there is no list of mounts', () => {
    expect(explainNoexec('/data/x', '')).toBeNull();
  });

  test('a run of a program there ends with that reason', async ({ skip }) => {
    const base = mkdtempSync(join(tmpdir(), 'noexec-'));
    const volume = join(base, 'volume');
    mkdirSync(volume);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'noexec,size=1m', 'tmpfs', volume]);
    try {
      if (mounted.status !== 0) skip('mounting needs a privilege that this user does not have');
      const path = join(volume, 'compiler');
      writeFileSync(path, '#!/bin/sh\necho 1\n', { mode: 0o700 });
      const end = await runNativeProcess({
        path,
        arguments: [],
        folder: volume,
        stdin: '',
        timeoutMs: 10_000,
        memoryLimitMiB: 1024,
        signal: new AbortController().signal,
      });
      expect(end).toMatchObject({ kind: 'crashed', message: expect.stringContaining('mounted noexec') });
    } finally {
      if (mounted.status === 0) spawnSync('umount', [volume]);
      rmSync(base, { recursive: true });
    }
  });
});
