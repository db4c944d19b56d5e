import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { NO_MATCH } from '../parameters/no-match.ts';
import { integer, itemOf } from './fields.ts';
import { type OneContext, oneOn, oneReader } from './one.ts';

test('what no value can meet is not found, a text that looks like it is a value', async () => {
  const asked: unknown[] = [];
  const one = oneOn<OneContext>()({
    path: '/one',
    summary: 'One',
    parameters: {
      word: {
        schema: Type.String(),
        check: () => true,
        read: ([text]: readonly string[]) => (text === 'impossible' ? NO_MATCH : (text ?? '')),
      },
    },
    async find({ word }) {
      asked.push(word);
      return 1n;
    },
    item: itemOf<bigint>()({ found: integer((row) => row) }),
  });
  const read = oneReader(one, { maxRepeated: 100 } as OneContext);
  expect((await read({}, '/one?word=none')).json).toBe('{"found":1}');
  await expect(read({}, '/one?word=impossible')).rejects.toMatchObject({ statusCode: 404 });
  expect(asked).toEqual(['none']);
});
