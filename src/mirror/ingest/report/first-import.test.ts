import { describe, expect, test } from 'vitest';
import { firstImport, type IngestState, idleState } from './ingest-state.ts';

const state = (source: string, kind: IngestState['state'], units = 0): IngestState => ({
  ...idleState(source),
  state: kind,
  units,
});

describe('firstImport', () => {
  test('there is none without paths', () => {
    expect(firstImport([], [state('/watched', 'running')])).toBeNull();
  });

  test('a path that nobody has begun counts as the one at work', () => {
    expect(firstImport(['/a', '/b'], [])).toEqual({
      paths: 2,
      done: 0,
      source: '/a',
      units: 0,
      lastUnit: null,
    });
  });

  test('tells how far it is', () => {
    const states = [state('/a', 'finished', 5), state('/b', 'running', 7)];
    expect(firstImport(['/a', '/b'], states)).toMatchObject({ paths: 2, done: 1, source: '/b', units: 7 });
  });

  test.each(['failed', 'gap', 'fork'] as const)(
    'ends with a path that is %s: those behind it do not begin',
    (kind) => {
      expect(firstImport(['/a', '/b'], [state('/a', kind), state('/b', 'idle')])).toBeNull();
    },
  );

  test('is over when all are imported, although one of them is watched too', () => {
    expect(firstImport(['/a'], [state('/a', 'finished'), state('/a', 'running')])).toBeNull();
  });
});
