import { describe, expect, test } from 'vitest';
import { imports, sourceFiles } from './sources.ts';

/**
 * In every folder, what lies in it (each file, and each folder with everything below) has an order: who imports whom.
 * Two files beside each other may need each other; a folder never needs what needs it.
 */

/** Folders in which that order is still to be made. Nothing is to be added. */
const LEFT: readonly string[] = [];

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** What two sources are to each other where their paths part. */
function partedAt(file: string, target: string): Edge | null {
  const [from, to] = [file.split('/'), target.split('/')];
  const depth = from.findIndex((part, index) => part !== to[index]);
  return depth < 0
    ? null
    : { from: from.slice(0, depth + 1).join('/'), to: to.slice(0, depth + 1).join('/') };
}

const edges = new Map<string, Edge>();
for (const { file, target } of imports) {
  if (!target.endsWith('.ts')) continue;
  const edge = partedAt(file, target);
  if (edge !== null) edges.set(`${edge.from} > ${edge.to}`, edge);
}

/** Edges on a way that comes back to where it began, through a folder at least. */
function inCycles(given: readonly Edge[]): readonly string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of given) targets.set(from, [...(targets.get(from) ?? []), to]);
  const reached = new Map<string, ReadonlySet<string>>();
  const reach = (from: string): ReadonlySet<string> => {
    const known = reached.get(from);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const open = [...(targets.get(from) ?? [])]; open.length > 0; ) {
      const next = open.pop() ?? '';
      if (found.has(next)) continue;
      found.add(next);
      open.push(...(targets.get(next) ?? []));
    }
    reached.set(from, found);
    return found;
  };
  const isFolder = (path: string): boolean => !path.endsWith('.ts');
  const passesFolder = (from: string): boolean =>
    [from, ...reach(from)].some((path) => isFolder(path) && reach(path).has(from) && reach(from).has(path));
  return given
    .filter(({ from, to }) => reach(to).has(from) && passesFolder(from))
    .map(({ from, to }) => `${from} > ${to}`);
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

describe('folders', () => {
  test('are found, with what they import', () => {
    expect(sourceFiles.length).toBeGreaterThan(100);
    expect(edges.size).toBeGreaterThan(100);
  });

  test('a cycle is found, also over several folders', () => {
    const ring = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c.ts' },
      { from: 'c.ts', to: 'a' },
      { from: 'a', to: 'd' },
    ];
    expect(inCycles(ring)).toEqual(['a > b', 'b > c.ts', 'c.ts > a']);
    expect(inCycles(ring.slice(1))).toEqual([]);
  });

  test('never need what needs them', () => {
    const given = [...edges.values()].filter(({ from }) => !LEFT.includes(folderOf(from)));
    expect(inCycles(given)).toEqual([]);
  });

  test('that were put in order are struck off the list', () => {
    const cyclic = new Set(inCycles([...edges.values()]).map((edge) => folderOf(edge.split(' > ')[0] ?? '')));
    expect(LEFT.filter((folder) => !cyclic.has(folder))).toEqual([]);
  });
});
