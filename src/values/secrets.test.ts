import { describe, expect, test } from 'vitest';
import { hideSecrets, secretsIn } from './secrets.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const inHeaders = (headers: object) => ({ '1': { rpc: [{ url: 'http://a', headers }] } });

describe('the secrets of a configured value', () => {
  test.each<[string, unknown, string]>([
    ['a key in a path', `https://mainnet.example/v3/${KEY}`, KEY],
    ['a key of letters', 'https://n.example/v2/abcdefghijklmnop', 'abcdefghijklmnop'],
    ['a key with signs', 'https://n.example/v2/0123456789abcdef%3D%3D', '0123456789abcdef=='],
    ['a value of a query', 'wss://node.example/?apikey=hunter2hunter2', 'hunter2hunter2'],
    ['a password in a query', 'postgres://db/x?user=a&password=hunter2hunter2', 'hunter2hunter2'],
    ['a password', 'postgres://ledger:correct%20horse@db.example/ledger', 'correct horse'],
    ['a password with an @', 'postgres://ledger:p@ssw0rd!@db.example/ledger', 'p@ssw0rd!'],
    ['a password with a comma', 'https://me:pass,wordlong@n.example/', 'pass,wordlong'],
    ['a password of digits', 'https://me:17643694@n.example/', '17643694'],
    ['a key instead of a user', 'https://key-of-mine@n.example/', 'key-of-mine'],
    ['what HTTP makes of it', 'https://me:battery-staple@node.example', btoa('me:battery-staple')],
    ['an address among others', `http://a.example, https://n.example/${KEY}`, KEY],
    ['a header', inHeaders({ 'X-API-Key': 'open-"sesame"' }), 'open-"sesame"'],
    ['a token behind its scheme', inHeaders({ authorization: 'Bearer t0ken-of-mine' }), 't0ken-of-mine'],
    ['what Basic has in it', inHeaders({ authorization: `Basic ${btoa('me:password123')}` }), 'password123'],
  ])('%s', (_, value, secret) => {
    const hide = hideSecrets(secretsIn(value));
    const json = JSON.stringify({ secret });
    for (const form of [secret, encodeURIComponent(secret), json, JSON.stringify(json)]) {
      const shown = hide(`error: ${form} is not allowed`);
      for (const part of [secret, JSON.stringify(secret).slice(1, -1)]) expect(shown).not.toContain(part);
      expect(shown).toContain('[secret]');
    }
    expect(hide(`the key ${secret}.`)).toBe('the key [secret].');
  });

  test.each([
    'postgres://postgres:postgres@127.0.0.1/postgres',
    'postgres://ledgerlens@127.0.0.1/ledgerlens_production',
    'https://n.example/?network=mainnet1&format=ethereum',
    { headers: { accept: 'application/json', 'user-agent': 'ledgerlens' } },
    'sqlite:data/ledgerlens.sqlite',
  ])('%j has none', (value) => {
    const text = JSON.stringify(value);
    expect(hideSecrets(secretsIn(value))(text)).toBe(text);
  });

  test('lines stay JSON, whatever the secret', () => {
    const line = JSON.stringify({
      time: 1_764_369_423_123,
      gas: 17_643_694,
      list: [17_643_694],
      msg: '17643694',
    });
    expect(JSON.parse(hideSecrets(['17643694'])(line))).toEqual({
      ...JSON.parse(line),
      msg: '[secret]',
    });
  });
});
