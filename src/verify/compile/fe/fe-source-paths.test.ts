import { describe, expect, test } from 'vitest';
import { feSourcePathProblem } from './fe-source-paths.ts';

describe('feSourcePathProblem', () => {
  test('finds nothing wrong with usual paths', () => {
    expect(feSourcePathProblem(['src/lib.fe', 'src/parts/counter.fe', 'src/parts/Zähler 2.fe'])).toBeNull();
  });

  test.each([
    ['src/../../etc/x.fe', 'must not contain an empty name, "." or ".."'],
    ['src/./x.fe', 'must not contain an empty name, "." or ".."'],
    ['src//etc/x.fe', 'must not contain an empty name, "." or ".."'],
    ['/etc/x.fe', 'must begin with "src/"'],
    ['fe.toml', 'must begin with "src/"'],
    ['src/a\\b.fe', 'must not contain a backslash or a NUL'],
    ['src/a\0.fe', 'must not contain a backslash or a NUL'],
    [`src/${'é'.repeat(128)}`, 'is too long'],
    [`src/${`${'a'.repeat(200)}/`.repeat(5)}x.fe`, 'is too long'],
    [`src/${'a/'.repeat(40)}x.fe`, 'must not have more than 32 names'],
  ])('refuses %j', (path, reason) => {
    expect(feSourcePathProblem(['src/lib.fe', path])).toContain(reason);
  });

  test('refuses a file that another source needs as a folder', () => {
    expect(feSourcePathProblem(['src/a.fe/b.fe', 'src/a.fe'])).toBe(
      'The Fe source path "src/a.fe" is a folder of another source too.',
    );
  });
});
