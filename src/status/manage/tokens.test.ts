import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAuthenticate, createStatusToken, parseStatusTokens } from './tokens.ts';

const ops = createStatusToken('ops', 'write', (count) => new Uint8Array(count).fill(9));
const tokens = parseStatusTokens(ops.line, () => undefined);
const named = (headers: Record<string, string>, url = '/v1/pages', takesQuery = true) =>
  createAuthenticate(tokens, takesQuery)({ headers, url })?.name ?? null;

describe('createStatusToken', () => {
  test('makes 32 random bytes and the line that holds only their hash', () => {
    expect(Buffer.from(ops.text, 'base64url')).toHaveLength(32);
    expect(ops.line).toBe(`ops:write:${createHash('sha256').update(ops.text).digest('hex')}`);
  });
});

describe('parseStatusTokens', () => {
  test('reads lists with commas and lines', () => {
    const other = ops.line.replace('ops:write', 'ci:READ').toUpperCase().replace('CI', 'ci');
    expect(parseStatusTokens(`${ops.line},\n${other}\n`, () => undefined)).toMatchObject([
      { name: 'ops', scope: 'write' },
      { name: 'ci', scope: 'read', hash: tokens[0]?.hash },
    ]);
  });

  test('names what is wrong without the hash', () => {
    const problems: string[] = [];
    parseStatusTokens(`${ops.line},${ops.line},secret-text,x:admin:${'0'.repeat(64)}`, (text) =>
      problems.push(text),
    );
    expect(problems).toEqual([
      'the name "ops" is given twice',
      'entry 3 is not of the form name:read:HASH or name:write:HASH',
      'entry 4 is not of the form name:read:HASH or name:write:HASH',
    ]);
  });
});

describe('createAuthenticate', () => {
  test.each(['OAuth', 'oauth', 'OAUTH', 'Bearer', 'bearer'])('takes the scheme %s', (scheme) => {
    expect(named({ authorization: `${scheme} ${ops.text}` })).toBe('ops');
  });

  test.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['the scheme alone', 'OAuth'],
    ['the token alone', ops.text],
    ['another scheme', `Basic ${ops.text}`],
    ['a cut token', `OAuth ${ops.text.slice(0, -1)}`],
    ['a longer token', `OAuth ${ops.text}A`],
    ['another letter case', `OAuth ${ops.text.toLowerCase()}`],
    ['two tokens', `OAuth ${ops.text} ${ops.text}`],
    ['the hash in place of the token', `OAuth ${tokens[0]?.hash}`],
    ['a wrong token of the right length', `OAuth ${'A'.repeat(ops.text.length)}`],
  ])('refuses %s', (_, authorization) => {
    expect(named(authorization === undefined ? {} : { authorization })).toBeNull();
  });

  test('takes a token of the query only when that is allowed and no header speaks', () => {
    const url = `/v1/pages?api_key=${ops.text}`;
    expect(named({}, url)).toBe('ops');
    expect(named({}, url, false)).toBeNull();
    expect(named({ authorization: 'OAuth wrong' }, url)).toBeNull();
  });

  test('lets nobody pass when there are no tokens', () => {
    const authenticate = createAuthenticate([], true);
    expect(authenticate({ headers: { authorization: `OAuth ${ops.text}` }, url: '/' })).toBeNull();
  });
});
