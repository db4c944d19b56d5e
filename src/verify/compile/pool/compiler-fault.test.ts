import { describe, expect, test } from 'vitest';
import { compilerFault } from './soljson.ts';

describe('the fault of a compiler', () => {
  test.each([
    [new Error('Cannot enlarge memory arrays'), false, 'out_of_memory', /enlarge/],
    [new Error('memory access out of bounds'), true, 'out_of_memory', /out of bounds/],
    [new Error('memory access out of bounds'), false, 'crashed', /ran out of stack .* nested/],
    [new RangeError('Maximum call stack size exceeded'), false, 'crashed', /ran out of stack .* nested/],
    [undefined, false, 'crashed', /without a message/],
    [new Error('unreachable'), false, 'crashed', /^unreachable$/],
  ])('%s, with memory refused %s, is %s', (error, hasRefusedMemory, reason, message) => {
    expect(compilerFault(error, hasRefusedMemory)).toEqual({
      reason,
      message: expect.stringMatching(message),
    });
  });
});
