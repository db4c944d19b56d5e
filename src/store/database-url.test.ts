import { describe, expect, test } from 'vitest';
import { IN_MEMORY, parseDatabaseUrl } from './database-url.ts';

describe('parseDatabaseUrl', () => {
  test.each([
    ['sqlite:data/ledgerlens.sqlite', 'data/ledgerlens.sqlite', 'data'],
    ['sqlite:/var/lib/l.sqlite', '/var/lib/l.sqlite', '/var/lib'],
    ['sqlite:a file:with colons', 'a file:with colons', '.'],
  ])('%s is the file %s in the folder %s', (url, path, folder) => {
    expect(parseDatabaseUrl(url)).toEqual({ kind: 'sqlite', url, path, folder, connection: null });
  });

  test('a database in memory has no file and no folder', () => {
    expect(parseDatabaseUrl('sqlite::memory:')).toBe(IN_MEMORY);
    expect(IN_MEMORY).toMatchObject({ path: null, folder: null });
  });

  test.each([
    ['postgres://me:secret@db.example.org:5433/l', 'postgres://me@db.example.org:5433/l'],
    ['postgresql://db/l?sslmode=require&password=secret', 'postgres://db/l'],
    ['postgres://me@/l?host=%2Frun%2Fpostgresql', 'postgres://me@/run/postgresql/l'],
    ['postgres://db/l?user=me@there&password=se/cret', 'postgres://db/l'],
    ['postgres://me%40there:p%40ss%2Fw@db/l', 'postgres://me%40there@db/l'],
    ['postgres://db/l?channel_binding=prefer&target_session_attrs=any', 'postgres://db/l'],
  ])('%s is shown as %s', (connection, url) => {
    expect(parseDatabaseUrl(connection)).toEqual({
      kind: 'postgres',
      url,
      path: null,
      folder: null,
      connection,
    });
  });

  test.each([
    ['postgres://me:se/cret@db/l', 'as %40 or %2F'],
    ['postgres://me:1/cret@db/l', 'as %40 or %2F'],
    ['postgres://me:p@ss@w/cret@127.0.0.1:5432/l', 'as %40 or %2F'],
    ['postgres://me:se@cret@db/l', 'as %40 or %2F'],
    ['postgres://me:1\\cret@db/l', 'as %40 or %2F'],
    ['postgres://me:1/a#cret@db/l', 'as %40 or %2F'],
    ['postgres://me:1/cret?b@db/l', 'as %40 or %2F'],
    ['postgres://me:1?cret@db/l', 'as %40 or %2F'],
    ['postgres://db', 'must name the database'],
    ['postgres://me:secret@db/', 'must name the database'],
    ['postgres://me:secret@db/l?sslmode=prefer', 'one of disable, require, verify-ca, verify-full'],
    ['postgres://db/l?sslmode=verify-ca', 'needs sslrootcert'],
    ['postgres://db/l?sslmode=verify-ca&sslrootcert=system', 'needs sslrootcert'],
    ['postgres://db/l?sslmode=require&sslrootcert=system', 'needs sslmode=verify-full'],
    ['postgres://db/l?sslmode=require&sslcert=client.pem', 'sslcert and sslkey together'],
    ['postgres://db/l?sslmode=require&sslcrl=gone.pem', 'the parameter sslcrl, which is not supported'],
    ['postgres://db/l?ssl=true', 'the parameter ssl, which is not supported'],
    ['postgres://db/l?SSLMODE=verify-full', 'the parameter SSLMODE, which is not supported: write sslmode'],
    ['postgres://db/l?channel_binding=require', 'omit it, or write disable, prefer'],
    ['postgres://db/l?channel_binding=prefer&channel_binding=require', 'channel_binding'],
    ['postgres://db/l?Target_Session_Attrs=read-write', 'omit it, or write any'],
  ])('%s is refused', (url, remedy) => {
    expect(() => parseDatabaseUrl(url)).toThrow(remedy);
    expect(() => parseDatabaseUrl(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('cret') }),
    );
  });

  test.each([
    'sqlite://memory',
    'sqlite://:memory:',
    'sqlite:///:memory:',
    'sqlite:memory',
    'sqlite::memory',
    'SQLITE::MEMORY:',
    ':memory:',
    'memory',
  ])('%s is refused with the right spelling', (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow('must be "sqlite::memory:" for a database in memory');
  });

  test.each(['', 'sqlite:', 'sqlite', 'SQLITE:x', 'data/l.sqlite', 'mysql://host/l'])(
    '%j is refused',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: 'unsupported_database' }));
    },
  );

  test('a refused value is not repeated, it may hold a password', () => {
    expect(() => parseDatabaseUrl('mysql://me:secret@host/l')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});
