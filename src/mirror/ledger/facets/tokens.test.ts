import { describe, expect, test } from 'vitest';
import { aToken, someFees } from '../../../../test/kit/mirror/ledger/a-token.ts';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';
import type { UnitHeader } from '../rows.ts';
import type { TokenChange, TokenSettings } from './tokens.ts';

const START = 1_700_000_000_000_000_000n;
const TOKEN = entityId(55n);
const at = (offset: bigint) => consensusTimestamp(START + offset);
const update = (offset: bigint, told: Partial<TokenSettings>): TokenChange => ({
  token: TOKEN,
  consensusTimestamp: at(offset),
  update: told,
});
const supply = (offset: bigint, totalSupply: bigint): TokenChange => ({
  token: TOKEN,
  consensusTimestamp: at(offset),
  totalSupply,
});
const created = aToken(TOKEN, at(0n), { name: 'a', totalSupply: 5n });

function ledgerOf(units: readonly FixtureRows[], header: Partial<UnitHeader> = {}): MemoryBackend {
  const backend = memoryBackend();
  for (const [index, rows] of units.entries()) {
    const unit = fixtureUnit(`${index}`, rows);
    const times = { consensusStart: at(BigInt(index)), consensusEnd: at(BigInt(index)) };
    doNow(
      commitUnits(
        backend,
        [{ ...unit, header: { ...unit.header, ...times, kind: 'block', ...header } }],
        false,
      ),
    );
  }
  return backend;
}

function rowsOf(backend: MemoryBackend, table: string, ...columns: string[]) {
  return backend.rows(table).map((row) =>
    columns.map((column) => {
      const value = row[column];
      return column.endsWith('_ts') && typeof value === 'bigint' ? value - START : value;
    }),
  );
}
const current = (backend: MemoryBackend) =>
  rowsOf(backend, 'token', 'lower_ts', 'name', 'pause_status', 'total_supply');
const history = (backend: MemoryBackend) =>
  rowsOf(backend, 'token_history', 'lower_ts', 'upper_ts', 'name', 'pause_status', 'total_supply');

describe('tokens', () => {
  const changes = [
    [created],
    [supply(1n, 6n), update(2n, { name: 'B' })],
    [supply(3n, 7n), update(4n, { pauseStatus: 'PAUSED' })],
  ];

  test.each([
    ['three commits', changes],
    ['one commit', [changes.flat()]],
  ])('an update closes the row with the supply by then (%s)', (_how, units) => {
    const backend = ledgerOf(units.map((tokens) => ({ tokens })));
    expect(current(backend)).toEqual([[4n, 'B', 'PAUSED', 7n]]);
    expect(rowsOf(backend, 'token', 'folded_name', 'kind')).toEqual([['b', 'FUNGIBLE_COMMON']]);
    expect(history(backend)).toEqual([
      [0n, 2n, 'a', 'NOT_APPLICABLE', 6n],
      [2n, 4n, 'B', 'NOT_APPLICABLE', 7n],
    ]);
  });

  test('two changes at one time are one row', () => {
    const backend = ledgerOf([
      {
        tokens: [created, update(0n, { name: 'b' }), update(3n, { name: 'c' }), update(3n, { symbol: 'S' })],
      },
    ]);
    expect(current(backend)).toEqual([[3n, 'c', 'NOT_APPLICABLE', 5n]]);
    expect(history(backend)).toEqual([[0n, 3n, 'b', 'NOT_APPLICABLE', 5n]]);
  });

  test('without its creation there is no token', () => {
    const backend = ledgerOf([{ tokens: [update(0n, { name: 'b' }), supply(1n, 7n)] }]);
    expect([current(backend), history(backend)]).toEqual([[], []]);
  });

  test.each([
    ['fixture' as const, [5n, 'b', 'NOT_APPLICABLE', 5n]],
    ['block' as const, [5n, 'c', 'NOT_APPLICABLE', 5n]],
  ])(
    'of a change that is older than the row the time never counts, outside fixtures the change does (%s)',
    (kind, row) => {
      const units = [
        { tokens: [created, update(5n, { name: 'b' })] },
        { tokens: [update(4n, { name: 'c' })] },
      ];
      const backend = ledgerOf(units, { kind, consensusEnd: at(5n) });
      expect(current(backend)).toEqual([row]);
      expect(history(backend)).toEqual([[0n, 5n, 'a', 'NOT_APPLICABLE', 5n]]);
    },
  );

  test('a past row that is stated goes to the history alone', () => {
    const past: TokenChange = { ...aToken(TOKEN, at(0n), { name: 'old' }), until: at(2n) } as TokenChange;
    const backend = ledgerOf([{ tokens: [past, aToken(TOKEN, at(2n), { name: 'new' })] }]);
    expect(current(backend)).toEqual([[2n, 'new', 'NOT_APPLICABLE', 0n]]);
    expect(history(backend)).toEqual([[0n, 2n, 'old', 'NOT_APPLICABLE', 0n]]);
  });

  test.each([
    ['0.48.1', null],
    [null, null],
    ['0.49.0', Uint8Array.of(2)],
    ['1.0.0', Uint8Array.of(2)],
  ])('metadata counts from version 0.49 of the API on (%s)', (hapiVersion, metadata) => {
    const told = { metadata: Uint8Array.of(1), metadataKey: Uint8Array.of(3) };
    const row = aToken(TOKEN, at(0n), told);
    const changed = ledgerOf([{ tokens: [row, update(1n, { metadata: Uint8Array.of(2) })] }], {
      hapiVersion,
    });
    expect(rowsOf(changed, 'token', 'metadata')).toEqual([[metadata]]);
    expect(rowsOf(changed, 'token_history', 'metadata')).toEqual([
      [metadata === null ? null : Uint8Array.of(1)],
    ]);
    expect(rowsOf(changed, 'token', 'metadata_key')).toEqual([[metadata === null ? null : Uint8Array.of(3)]]);
  });
});

describe('custom fees', () => {
  test('each list is a row from its time on, the last one of a time holds', () => {
    const backend = ledgerOf([
      { customFees: [someFees(TOKEN, at(0n), 1), someFees(TOKEN, at(0n), 0)] },
      { customFees: [someFees(TOKEN, at(1n), 2)] },
    ]);
    expect(rowsOf(backend, 'custom_fee', 'entity_id', 'lower_ts', 'fee_count')).toEqual([
      [TOKEN, 0n, 0n],
      [TOKEN, 1n, 2n],
    ]);
  });
});
