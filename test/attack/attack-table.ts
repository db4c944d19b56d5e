// Global setup of the attacks: a file in which each scenario leaves its row, printed as one table after the last.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the file; it has a row of JSON in each line. */
    readonly attackRows: string;
  }
}

/** What the others felt of a scenario, milliseconds; null: it left no server for them. */
export interface AttackRow {
  readonly scenario: string;
  /** Of the list and of the summary, whichever is later. */
  readonly readsP99: number | null;
  readonly livenessMax: number | null;
  readonly longestTurn: number;
}

/** @see test/attack/README.md, "Bars" */
export const BARS = { readsP99: 500, livenessMax: 100, longestTurn: 50 } as const;

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-attack-rows-'));
  const path = join(folder, 'rows');
  project.provide('attackRows', path);
  return () => {
    if (existsSync(path)) console.log(printTable(readFileSync(path, 'utf8').trimEnd().split('\n')));
    rmSync(folder, { recursive: true, force: true });
  };
}

function printTable(lines: readonly string[]): string {
  const rows = lines.map((line) => JSON.parse(line) as AttackRow);
  const width = Math.max(...rows.map(({ scenario }) => scenario.length));
  const print = (scenario: string, cells: readonly (number | string | null)[]) =>
    [scenario.padEnd(width), ...cells.map((cell) => String(cell ?? '-').padStart(13))].join(' ');
  return [
    print('milliseconds', ['reads p99', 'liveness max', 'longest turn']),
    print('bar on a quiet machine', Object.values(BARS)),
    ...rows.map((row) => print(row.scenario, [row.readsP99, row.livenessMax, row.longestTurn])),
  ].join('\n');
}
