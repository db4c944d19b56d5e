import { describe, test } from 'vitest';
import { SHARED_MARK, sharedDataMissing } from '../shared-data.ts';

interface SharedBlock {
  (name: string, body: () => unknown): void;
  readonly each: typeof describe.each;
}

/** A suite that reads the shared folder. Without the folder its body does not run, and a line says so. */
export const describeShared = sharedBlock(describe);

/** The same for a single test. */
export const testShared = sharedBlock(test as unknown as typeof describe);

function sharedBlock(block: typeof describe): SharedBlock {
  if (sharedDataMissing !== null) {
    const leaveOut = (name: string): void => {
      console.warn(`${name}: ${sharedDataMissing}`);
      block.skip(`${name}, ${SHARED_MARK}`, () => {});
    };
    return Object.assign(leaveOut, { each: (() => leaveOut) as unknown as typeof describe.each });
  }
  const each = ((...table: [never]) => {
    const add = block.each(...table);
    return (name: string, ...rest: [never]) => add(`${name}, ${SHARED_MARK}`, ...rest);
  }) as typeof describe.each;
  return Object.assign((name: string, body: () => void) => block(`${name}, ${SHARED_MARK}`, body), { each });
}
