import { describe, expect, test } from 'vitest';
import { listed } from '../../../../test/kit/mirror/ingest/listed-units.ts';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { RecordUnit } from '../record-unit/record-unit.ts';
import { createWatchedFolder } from './directory-source.ts';

const FIRST = '2024-01-01T00_00_00.000000000Z';
const SECOND = '2024-01-01T00_00_02.000000000Z';
const FIRST_NANOS = consensusTimestamp(1_704_067_200_000_000_000n);

function watched(paths: Readonly<Record<string, number>>) {
  const tree = memoryFileTree();
  const put = (name: string, bytes: number) => {
    tree.files.set(`/streams/${name}`, new Uint8Array(bytes));
  };
  for (const [name, bytes] of Object.entries(paths)) put(name, bytes);
  const source = createWatchedFolder('/streams', tree);
  const names = async (after: typeof FIRST_NANOS | null = null) =>
    (await listed(source, after)).map(({ name }) => name);
  return { tree, put, source, names };
}

describe('createWatchedFolder', () => {
  test('gives a file with a signature at once, and one without when it has stopped growing', async () => {
    const { put, names } = watched({
      [`record0.0.3/${FIRST}.rcd`]: 10,
      [`record0.0.3/${FIRST}.rcd_sig`]: 5,
      [`record0.0.3/${SECOND}.rcd`]: 10,
    });
    expect(await names()).toEqual([`${FIRST}.rcd`]);
    put(`record0.0.3/${SECOND}.rcd`, 20);
    expect(await names()).toEqual([`${FIRST}.rcd`]);
    expect(await names()).toEqual([`${FIRST}.rcd`, `${SECOND}.rcd`]);
  });

  test('gives nothing behind a file that still grows', async () => {
    const { names } = watched({
      [`record0.0.3/${FIRST}.rcd`]: 10,
      [`record0.0.3/${SECOND}.rcd`]: 10,
      [`record0.0.3/${SECOND}.rcd_sig`]: 5,
    });
    expect(await names()).toEqual([]);
    expect(await names()).toEqual([`${FIRST}.rcd`, `${SECOND}.rcd`]);
  });

  test('takes the copies that are whole and leaves the others', async () => {
    const { source } = watched({
      [`record0.0.3/${FIRST}.rcd`]: 7,
      [`record0.0.4/${FIRST}.rcd`]: 10,
      [`record0.0.4/${FIRST}.rcd_sig`]: 5,
    });
    const [unit] = await listed(source);
    expect((unit as RecordUnit).files.records.map(({ path }) => path)).toEqual([
      `/streams/record0.0.4/${FIRST}.rcd`,
    ]);
  });

  test('gives an empty file without a copy, and ignores other names, in any letter case but the right one', async () => {
    const { source } = watched({
      [`record0.0.3/${FIRST}.rcd`]: 0,
      [`record0.0.3/${FIRST}.RCD`]: 10,
      'record0.0.3/notes.txt': 3,
    });
    const units = await listed(source);
    expect(units).toMatchObject([{ name: `${FIRST}.rcd`, isThere: false, files: { emptyRecords: [{}] } }]);
  });

  test('looks neither at stored files nor into folders of past days', async () => {
    const { names, tree } = watched({
      [`2023-12-31/record0.0.3/2023-12-31T23_59_58.000000000Z.rcd`]: 10,
      [`2024-01-01/record0.0.3/${FIRST}.rcd`]: 10,
      [`2024-01-01/record0.0.3/${SECOND}.rcd`]: 10,
      [`2024-01-01/record0.0.3/${SECOND}.rcd_sig`]: 5,
    });
    const asked: string[] = [];
    const size = tree.size.bind(tree);
    tree.size = (path) => {
      asked.push(path);
      return size(path);
    };
    const listed: string[] = [];
    const list = tree.list.bind(tree);
    tree.list = (folder) => {
      listed.push(folder);
      return list(folder);
    };
    expect(await names(FIRST_NANOS)).toEqual([`${SECOND}.rcd`]);
    expect(asked.filter((path) => path.includes(FIRST))).toEqual([]);
    expect(listed.filter((folder) => folder.includes('2023-12-31'))).toEqual([]);
  });

  test('a folder that is not there is told by its path, and a file is none', async () => {
    const { tree, source } = watched({});
    await expect(source.list(null)).rejects.toMatchObject({ code: 'unreadable_file' });
    tree.files.set('/streams', new Uint8Array(1));
    await expect(source.list(null)).rejects.toThrow('/streams');
  });
});
