import { afterEach, describe, expect, test, vi } from 'vitest';
import * as fc from './properties.ts';
import { forgetSeeds, freshSeed, numbersFrom, seedOf, seedsToRepeat } from './seed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  forgetSeeds();
});

describe('the seed of a random test', () => {
  test('is its usual one, and one for a run, until TEST_SEED names another', () => {
    vi.stubEnv('TEST_SEED', undefined);
    vi.stubEnv('TEST_RUN_SEED', '17');
    expect([seedOf('fuzz'), freshSeed()]).toEqual(['fuzz', 17]);
    vi.stubEnv('TEST_SEED', '-5');
    expect([seedOf('fuzz'), freshSeed()]).toEqual(['-5', -5]);
  });

  test('is an integer when it is given', () => {
    vi.stubEnv('TEST_SEED', 'x');
    expect(() => seedOf('fuzz')).toThrow('TEST_SEED must be an integer and is "x"');
  });

  test('is told to whoever wants to repeat what failed', () => {
    expect(seedsToRepeat()).toBeNull();
    vi.stubEnv('TEST_SEED', '8');
    seedOf('fuzz');
    expect(seedsToRepeat()).toContain('seed 8: TEST_SEED=N');
  });

  test('gives the same numbers again', () => {
    const draw = (seed: number) => Array.from({ length: 4 }, numbersFrom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    for (const number of draw(3)) expect(number).toBeLessThan(1);
  });

  test('is that of all properties', () => {
    expect(fc.readConfigureGlobal()?.seed).toBe(freshSeed());
  });
});
