import type { Absence } from '../units/stream-unit.ts';
import type { ImporterContext } from './importer-options.ts';

/** Remembers the names for as long as the process runs. */
export function createUnprovenUnits({ log, rejections }: Pick<ImporterContext, 'log' | 'rejections'>) {
  const leftOut = new Set<string>();
  return {
    /** Counts and tells it, once. */
    leaveOut(name: string, { reason, rejections: found }: Omit<Absence, 'error'>): void {
      if (leftOut.has(name)) return;
      leftOut.add(name);
      for (const { code, node } of found) rejections.add(node, code);
      log.warn({ name }, reason);
    },
    has: (name: string): boolean => leftOut.has(name),
  };
}

/** Units that nothing proves, or that are not there: nothing waits for them. */
export type UnprovenUnits = ReturnType<typeof createUnprovenUnits>;
