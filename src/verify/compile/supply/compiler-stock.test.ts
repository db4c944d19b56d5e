import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../values/clock.ts';
import {
  type CompilerDownload,
  type CompilerSource,
  CompilerSourceError,
  type WantedBuild,
} from '../compiler-catalog.ts';
import { evmVersionsOf } from '../evm-versions.ts';
import { createCompilerStock } from './compiler-management.ts';

const build = (version: string, language: WantedBuild['language'] = 'solc'): WantedBuild => ({
  language,
  version,
  kind: language === 'solc' ? 'wasm' : 'native',
});

const aSource = (builds: readonly WantedBuild[]): CompilerSource => ({
  description: 'the folder /secret/compilers',
  find: async () => null,
  list: async () => ({
    compilers: builds.map((each) => ({
      ...each,
      path: '/secret/solc.js',
      sha256: null,
      source: 'npm package solc',
    })),
    problems: ['/secret/compilers has no checksums'],
  }),
});

const aDownload = (offers: () => Promise<readonly WantedBuild[]>): CompilerDownload => ({
  description: 'a list',
  fetch: async () => null,
  offers,
});

const bundled = {
  source: aSource([build('0.8.30'), build('0.4.26')]),
  availability: 'bundled',
  from: '',
} as const;

describe('createCompilerStock', () => {
  test('lists what is here and what could be fetched, each once, newest first, without paths', async () => {
    const own = {
      source: aSource([build('0.4.3', 'vyper')]),
      availability: 'folder',
      from: 'the operator',
    } as const;
    const offered = [
      build('0.8.30+commit.73712a01'),
      build('0.8.9+commit.e5eed63a'),
      { ...build('0.8.9'), kind: 'native' as const },
    ];
    const downloads = [
      { download: aDownload(async () => offered), from: 'release list of lists.test' },
      { download: aDownload(async () => [build('0.8.9')]), from: 'npm registry' },
    ];
    const stock = createCompilerStock({ sources: [own, bundled], downloads, clock: new ManualClock(0) });
    const list = await stock.list();
    expect(list.map(({ version, availability, from }) => [version, availability, from])).toEqual([
      ['0.8.30+commit.73712a01', 'bundled', 'npm package solc'],
      ['0.8.9+commit.e5eed63a', 'fetchable', 'release list of lists.test'],
      ['0.4.26', 'bundled', 'npm package solc'],
      ['0.4.3', 'folder', 'the operator'],
    ]);
    expect(JSON.stringify(list)).not.toContain('secret');
  });

  test('asks servers again after ten minutes, and does without one that fails', async () => {
    const clock = new ManualClock(0);
    let asked = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const download = aDownload(async () => {
      asked += 1;
      if (asked === 1) return [build('0.8.1')];
      await gate;
      throw new CompilerSourceError('the list has gone');
    });
    const stock = createCompilerStock({ sources: [bundled], downloads: [{ download, from: '' }], clock });
    expect(await stock.list()).toHaveLength(3);
    expect(await stock.list()).toHaveLength(3);
    expect(asked).toBe(1);
    clock.set(600_000);
    // Nobody waits for the server when an older list is there.
    expect(await stock.list()).toHaveLength(3);
    expect(asked).toBe(2);
    open();
    await expect.poll(async () => (await stock.list()).length).toBe(2);
  });
});

test.each([
  ['0.8.37+commit.00000000', 'homestead', 'osaka'],
  ['0.8.28+commit.7893614a', 'homestead', 'prague'],
  ['0.8.26', 'homestead', 'cancun'],
  ['0.7.6', 'homestead', 'berlin'],
  ['0.4.26', 'homestead', 'constantinople'],
])('solc %s takes %s to %s', (version, oldest, newest) => {
  const versions = evmVersionsOf('solc', version);
  expect([versions?.[0], versions?.at(-1)]).toEqual([oldest, newest]);
});

test('of others it is not known', () => {
  expect([
    evmVersionsOf('solc', '0.5.9'),
    evmVersionsOf('solc', '0.3.6'),
    evmVersionsOf('vyper', '0.4.3'),
  ]).toEqual([null, null, null]);
});
