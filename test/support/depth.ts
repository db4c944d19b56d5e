/** Whether tests that draw at random do so as often as in the scheduled workflow. */
export const isFullDepth = process.env['TEST_DEPTH'] === 'full';

/**
 * How often a test repeats what it draws at random.
 *
 * @param full with `TEST_DEPTH=full`; otherwise a fifth, mostly from a new seed in each run
 */
export const repetitions = (full: number): number => (isFullDepth ? full : Math.ceil(full / 5));
