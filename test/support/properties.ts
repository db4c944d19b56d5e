import {
  assert as assertProperty,
  configureGlobal,
  type IRawProperty,
  type Parameters,
  readConfigureGlobal,
} from 'fast-check';
import { repetitions } from './depth.ts';
import { freshSeed } from './seed.ts';

export * from 'fast-check';

// All properties of a run start from one seed, which is printed when one fails.
configureGlobal({ ...readConfigureGlobal(), seed: freshSeed() });

const USUAL_RUNS = 100;

/** That of fast-check; `numRuns` are those of the full depth. */
export const assert = ((property: IRawProperty<unknown>, parameters: Parameters<unknown> = {}) =>
  assertProperty(property, {
    ...parameters,
    numRuns: repetitions(parameters.numRuns ?? USUAL_RUNS),
  })) as typeof assertProperty;
