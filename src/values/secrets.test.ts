import { describe, expect, test } from 'vitest';
import { hideSecrets, secretsIn } from './secrets.ts';

const KEY = '0123456789abcdef0123456789abcdef';

describe('the secrets of a configured value', () => {
  test.each([
    ['a key in a path', `https://mainnet.example/v3/${KEY}`, KEY],
    ['a value of a query', 'wss://node.example/?apikey=hunter2hunter2', 'hunter2hunter2'],
    ['a password', 'postgres://ledger:correct%20horse@db.example/ledger', 'correct horse'],
    ['a password with an @', 'postgres://ledger:p@ssw0rd!@db.example/ledger', 'p@ssw0rd!'],
    ['what HTTP makes of it', 'https://me:battery-staple@node.example', btoa('me:battery-staple')],
    [
      'a header',
      { '1': { rpc: [{ url: 'http://a', headers: { 'X-API-Key': 'open-sesame' } }] } },
      'open-sesame',
    ],
    ['a token behind its scheme', { headers: { authorization: 'Bearer t0ken-of-mine' } }, 't0ken-of-mine'],
  ])('%s', (_, value, secret) => {
    const hide = hideSecrets(secretsIn(value));
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify({ secret })])
      expect(hide(`error: ${form} is not allowed`)).not.toContain(secret);
    expect(hide(`the key ${secret}.`)).toBe('the key [secret].');
  });

  test.each([
    'postgres://postgres:postgres@127.0.0.1/postgres',
    'https://binaries.example/emscripten-wasm32/list',
    { headers: { accept: 'application/json', 'user-agent': 'ledgerlens' } },
    'sqlite:data/ledgerlens.sqlite',
  ])('%j has none', (value) => {
    const text = JSON.stringify(value);
    expect(hideSecrets(secretsIn(value))(text)).toBe(text);
  });
});
