import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { VARIABLES } from './config-variables.ts';

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfig', () => {
  test('needs no variable at all', () => {
    const config = readConfig({});
    expect(config.http).toMatchObject({
      host: '127.0.0.1',
      ports: [8080],
      publicUrl: null,
      trustProxy: false,
    });
    expect(config.database.url).toBe('sqlite:data/ledgerlens.sqlite');
    expect(config.mirror).toMatchObject({ dialect: 'spec', consensusRatio: [1n, 3n], feeBodyLimit: 139_264 });
  });

  test('holds the first status request of a job for 10 s: forge asks again only after 15', () => {
    expect(readConfig({}).verify.firstPollMs).toBe(10_000);
  });

  test('is frozen all the way down', () => {
    const config = readConfig({});
    expect(Object.isFrozen(config.http.ports)).toBe(true);
  });

  test('keeps compilers beside the database, and downloads none unless told to', () => {
    const compilers = (given: Record<string, string>) => {
      const { compilerCacheDir, compilerListUrl, compilerRegistry } = readConfig(given).verify;
      return [compilerCacheDir, compilerListUrl, compilerRegistry];
    };
    expect(compilers({})).toEqual(['data/compilers', null, false]);
    expect(compilers({ DATABASE_URL: 'sqlite:/srv/x.sqlite' })[0]).toBe('/srv/compilers');
    expect(compilers({ DATABASE_URL: 'sqlite::memory:' })[0]).toBeNull();
    expect(
      compilers({
        VERIFY_COMPILER_CACHE_DIR: '/var/compilers',
        VERIFY_COMPILER_LIST_URL: 'https://mirror.example/solc/',
        VERIFY_COMPILER_REGISTRY: 'on',
      }),
    ).toEqual(['/var/compilers', 'https://mirror.example/solc', true]);
    // `fetch` takes no credentials in an address, and what cannot be fetched would only be missing.
    for (const name of ['VERIFY_COMPILER_LIST_URL', 'VERIFY_IPFS_GATEWAY']) {
      expect(problemsOf({ [name]: 'https://user:secret@mirror.example' })).toContain(name);
    }
  });

  test('takes several ports and a status listener', () => {
    const config = readConfig({
      PORT: '8080,5551,8084',
      STATUS_PORT: '9090',
      STATUS_URL: 'https://s.example.org/',
    });
    expect(config.http.ports).toEqual([8080, 5551, 8084]);
    expect(config.status).toMatchObject({ port: 9090, url: 'https://s.example.org' });
  });

  test.each([
    [{ PORT: 'http' }, /PORT: "http" is not a port such as 8080/],
    [{ PORT: '70000' }, /highest port is 65535/],
    [{ PORT: '8080', STATUS_PORT: '8080' }, /a port is listed twice/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL: "loud" must be one of fatal, error, warn/],
    [{ VERIFY_QUEUE_LIMIT: '0' }, /VERIFY_QUEUE_LIMIT: "0" must be an integer from 1 to 10000/],
    [{ VERIFY_QUEUE_LIMIT: '5.5' }, /VERIFY_QUEUE_LIMIT: "5.5" must be an integer/],
    [{ MIRROR_DIALECT: 'Hiero' }, /MIRROR_DIALECT: "Hiero" must be one of spec, hiero/],
    [{ MIRROR_DIALEKT: 'hiero' }, /MIRROR_DIALEKT: unknown variable, did you mean MIRROR_DIALECT\?/],
    [{ MIRROR_BUKET: 's3://name' }, /MIRROR_BUKET: unknown variable, did you mean MIRROR_BUCKET\?/],
    [{ MIRROR_LEGDERID: '00' }, /MIRROR_LEGDERID: unknown variable, did you mean MIRROR_LEDGER_ID\?/],
    [{ MIRROR_SOMETHING: '1' }, /MIRROR_SOMETHING: unknown variable$/m],
    [{ VERIFY_CHAIN: '{}' }, /VERIFY_CHAIN: unknown variable, did you mean VERIFY_CHAINS\?/],
    [{ STATUS_TIME_ZONE: 'Mars/Olympus' }, /STATUS_TIME_ZONE: "Mars\/Olympus" is not an IANA time zone/],
    [
      { STATUS_TOKENS: 'ops:admin:secret' },
      /STATUS_TOKENS: entry 1 is not of the form name:read:HASH or name:write:HASH$/m,
    ],
    [{ STATUS_UPDATE_TEXTS: '{"done":"x"}' }, /STATUS_UPDATE_TEXTS: "done" is not one of investigating,/],
    [{ STATUS_THRESHOLDS: '{"disk":1}' }, /STATUS_THRESHOLDS: "disk" must have numbers or null/],
    [
      { STATUS_PROBES_OFF: 'database,chain:1,mirror' },
      /STATUS_PROBES_OFF: "mirror" is not one of verification-api, .*, all, chain:ID$/m,
    ],
    [
      { STATUS_MIRROR_NAME: '{host}' },
      /STATUS_MIRROR_NAME: "\{host\}" is not one of \{network\}, \{version\}/,
    ],
    [{ STATUS_MIRROR_NAME: '{network}' }, /STATUS_MIRROR_NAME: contains \{network\}, so STATUS_NETWORK/],
    [{ STATUS_PAGE_ID: 'vowels' }, /STATUS_PAGE_ID: "vowels" is not twelve/],
    [{ MIRROR_LIMIT_DEFAULT: '50', MIRROR_LIMIT_MAX: '40' }, /must not be above MIRROR_LIMIT_MAX/],
    [{ MIRROR_START: 'yesterday' }, /MIRROR_START: "yesterday" is not genesis, now or an instant such as/],
    [{ MIRROR_FIRST_BLOCK: '-2' }, /MIRROR_FIRST_BLOCK: .*a block number, or -1/],
    [
      { MIRROR_START: 'now', MIRROR_FIRST_BLOCK: '-1' },
      /MIRROR_FIRST_BLOCK: MIRROR_START also says where an empty ledger begins; unset one of them/,
    ],
    [{ MIRROR_END: 'now' }, /MIRROR_END: "now" is not an instant such as/],
    [{ MIRROR_LEDGER_ID: '0.0.1' }, /MIRROR_LEDGER_ID: "0.0.1" is not 64 or 128 hexadecimal digits/],
    [{ MIRROR_FOLLOW: 'mirror.example' }, /MIRROR_FOLLOW: "mirror.example" is not an address/],
    [{ MIRROR_NETWORK: 'testnet' }, /MIRROR_ADDRESS_BOOK: record files of testnet are checked with the keys/],
    [
      { MIRROR_START: '2024-01-02T00:00:00Z', MIRROR_END: '2024-01-01T00:00:00Z' },
      /MIRROR_START: must not be after MIRROR_END/,
    ],
    [{ MIRROR_UNRELEASED_ACCOUNTS: '2,9-5' }, /MIRROR_UNRELEASED_ACCOUNTS: 9-5 ends before it begins/],
    [
      { MIRROR_UNRELEASED_ACCOUNTS: '0.0.2' },
      /MIRROR_UNRELEASED_ACCOUNTS: "0.0.2" is not numbers and ranges/,
    ],
    [{ MIRROR_CONSENSUS_RATIO: '4/3' }, /MIRROR_CONSENSUS_RATIO: must not be above 1/],
    [{ DATABASE_URL: 'postgres://db' }, /DATABASE_URL: must name the database: postgres:/m],
    [{ DATABASE_URL: 'sqlite://memory' }, /DATABASE_URL: must be "sqlite::memory:" for a database in memory/],
    [
      { LEDGERLENS_TEST_API: 'on' },
      /LEDGERLENS_TEST_API: can erase the database, so it requires one in memory \(DATABASE_URL=sqlite::memory:\)/,
    ],
    [
      { LEDGERLENS_TEST_API: 'on', DATABASE_URL: 'sqlite::memory:', HOST: '0.0.0.0' },
      /LEDGERLENS_TEST_API: anyone who reaches 0\.0\.0\.0 could erase its data; .*LEDGERLENS_TEST_API=on-any-address/,
    ],
    [
      { LEDGERLENS_TEST_API: 'on', DATABASE_URL: 'sqlite::memory:', HOST: '127.evil.example' },
      /LEDGERLENS_TEST_API: anyone/,
    ],
    [
      { LEDGERLENS_TEST_API: 'on-any-address', DATABASE_URL: 'sqlite::memory:', STATUS_PORT: '0' },
      /LEDGERLENS_TEST_API: cannot be used together with STATUS_PORT/,
    ],
    [{ TRUST_PROXY: 'bogus' }, /TRUST_PROXY: "bogus" is not an address or network/],
    [{ TRUST_PROXY: '10.0.0.0/8,10.0.0.1/33' }, /TRUST_PROXY: "10.0.0.1\/33" is not an address or network/],
    [{ PUBLIC_URL: 'ledger.example.org' }, /PUBLIC_URL: "ledger.example.org" is not an address/],
  ])('%j stops the start with a line that names it', (environment, line) => {
    expect(problemsOf(environment as Record<string, string>)).toMatch(line);
  });

  test.each([
    { STATUS_SMTP_URL: 'smtp:user:secret@mail.example.org', STATUS_MAIL_FROM: 'a@example.org' },
    { MIRROR_FOLLOW: 'https://user:secret@mirror.example.org' },
    { MIRROR_BUCKET_ENDPOINT: 'http://user:secret@store.example.org' },
    { VERIFY_CHAINS: '{"1":{"rpc":["ws://user:secret@node.example.org"]}}' },
    { DATABASE_URL: 'mysql://user:secret@host/name' },
  ])('never repeats what may be a password: %j', (environment) => {
    const problems = problemsOf(environment);
    expect(problems).toContain(Object.keys(environment)[0]);
    expect(problems).not.toContain('secret');
  });

  test('says of each variable with a form what that is', () => {
    const formed = Object.values(VARIABLES).filter((schema) =>
      ['pattern', 'minLength', 'maxLength'].some((name) => name in schema),
    );
    expect(formed.length).toBeGreaterThan(10);
    for (const schema of formed) expect(schema['x-form']).toMatch(/^(an? |[*\dns]|twelve)/);
  });

  test('lists all problems at once', () => {
    const message = problemsOf({
      PORT: 'x',
      MIRROR_DIALECT: 'y',
      STATUS_NAME: 'z',
      STATUS_TIME_ZONE: 'Mars/x',
    });
    expect(message.match(/^ {2}- /gm)).toHaveLength(4);
  });

  test.each([
    { HOST: '127.0.0.2', LEDGERLENS_TEST_API: 'on' },
    { HOST: '::1', LEDGERLENS_TEST_API: 'on' },
    { HOST: '0.0.0.0', LEDGERLENS_TEST_API: 'on-any-address' },
  ])('takes the test API of a database in memory with %j', (environment) => {
    const config = readConfig({ ...environment, DATABASE_URL: 'sqlite::memory:' });
    expect(config.testApi).toBe(environment.LEDGERLENS_TEST_API);
  });

  test('has defaults of the form that it asks for', () => {
    const defaults = Object.entries(VARIABLES).map(([name, schema]) => [name, String(schema.default)]);
    expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}));
  });

  test('ignores variables that are not ours and empty ones', () => {
    expect(readConfig({ PATH: '/bin', npm_config_x: 'y', PORT: '' }).http.ports).toEqual([8080]);
  });

  test('tells everything that is wrong at once, of every kind', () => {
    const read = () =>
      readConfig(
        {
          MIRROR_LIMIT_MAX: '0',
          MIRROR_IMPRT: '/streams',
          VERIFY_CHAINS: '{"1":{"rpc":[5]},"x":{}}',
          MIRROR_ADDRESS_BOOK: '/gone/book',
          STATUS_TIME_ZONE: 'Mars',
        },
        () => {
          throw new Error('ENOENT');
        },
      );
    for (const problem of [
      'MIRROR_LIMIT_MAX: "0" must be an integer from 1 to 100',
      'MIRROR_IMPRT: unknown variable, did you mean MIRROR_IMPORT?',
      'VERIFY_CHAINS: 1/rpc/0: must be an address',
      'VERIFY_CHAINS: "x": the key must be a decimal chain id',
      'MIRROR_ADDRESS_BOOK: the file /gone/book cannot be read',
      'STATUS_TIME_ZONE: "Mars" is not an IANA time zone',
    ])
      expect(read).toThrow(problem);
  });

  test('reads a value from the file that NAME_FILE names', () => {
    const config = readConfig({ VERIFY_CHAINS_FILE: '/chains.json' }, () => '{"1":{"ledger":true}}\n');
    expect(config.verify.chainsJson).toBe('{"1":{"ledger":true}}');
    expect(() =>
      readConfig({ VERIFY_CHAINS_FILE: '/none' }, () => {
        throw new Error('ENOENT');
      }),
    ).toThrow(/VERIFY_CHAINS_FILE: the file \/none cannot be read/);
  });

  test.each([
    ['off', false],
    ['2', 2],
    ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
  ])('TRUST_PROXY=%s', (value, expected) => {
    expect(readConfig({ TRUST_PROXY: value }).http.trustProxy).toEqual(expected);
  });

  test.each([
    ['1/3', [1n, 3n]],
    ['0', [0n, 1n]],
    ['0.4', [4n, 10n]],
    ['.25', [25n, 100n]],
  ])('MIRROR_CONSENSUS_RATIO=%s is an exact fraction', (value, expected) => {
    expect(readConfig({ MIRROR_CONSENSUS_RATIO: value }).mirror.consensusRatio).toEqual(expected);
  });

  test('a bound time range and unreleased accounts are read in the units of the mirror', () => {
    const config = readConfig({
      MIRROR_BIND_TIMESTAMP_RANGE: 'on',
      MIRROR_MAX_TRANSACTIONS_TIMESTAMP_RANGE_DAYS: '2',
      MIRROR_UNRELEASED_ACCOUNTS: '2,44-71',
    });
    expect(config.mirror).toMatchObject({
      maxTransactionRangeSeconds: 172_800,
      unreleasedAccounts: [
        [2, 2],
        [44, 71],
      ],
    });
    expect(readConfig({}).mirror.maxTransactionRangeSeconds).toBeNull();
    expect(readConfig({}).mirror.unreleasedAccounts).toEqual([
      [2, 2],
      [42, 42],
      [44, 71],
      [73, 87],
      [99, 100],
      [200, 349],
      [400, 750],
    ]);
  });

  test('every variable says what it is in one sentence', () => {
    for (const [name, schema] of Object.entries(VARIABLES)) {
      expect(schema.description, name).toMatch(/^.{10,250}\.$/s);
    }
  });
});
