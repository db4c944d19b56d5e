import { describe, expect, test } from 'vitest';
import { NO_KNOWN_TRUST } from '../../../../test/kit/mirror/ledger-rows.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { bareHex } from '../../../values/hex.ts';
import type { KnownPublication, KnownTrust } from '../../ledger/known-trust.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import { ledgerIdConflict, ledgerTrustOf } from './ledger-trust-of.ts';

const [ID, OTHER] = [1, 2].map((fill) => new Uint8Array(32).fill(fill)) as [Uint8Array, Uint8Array];
const WRAPS = Uint8Array.of(9, 9);
const KEY = new Uint8Array(192).fill(3);

const field = (number: number, bytes: Uint8Array) => [(number << 3) | 2, bytes.length, ...bytes];

/** Lengths above 127 take two bytes. */
function longField(number: number, bytes: Uint8Array): number[] {
  return [(number << 3) | 2, (bytes.length & 0x7f) | 0x80, bytes.length >> 7, ...bytes];
}

function published(ledgerId: Uint8Array, isSigned: boolean, wrapsKey = WRAPS): KnownPublication {
  const node = Uint8Array.from([8, 5, 16, 7, ...longField(3, KEY)]);
  const body = Uint8Array.from([...field(1, ledgerId), ...field(2, wrapsKey), ...longField(3, node)]);
  return { consensusTimestamp: consensusTimestamp(1n), ledgerId, body, isSigned };
}

const knowing = (...publications: readonly KnownPublication[]): KnownTrust => ({
  ...NO_KNOWN_TRUST,
  publications,
});
const pinned = (id: Uint8Array): ProofOptions => ({
  ledgerId: bareHex(id),
  leastGeneration: 1,
  allowsGeneration1: false,
  every: 1,
});

describe('ledgerTrustOf', () => {
  test('knows nothing of an empty ledger', () => {
    expect(ledgerTrustOf(NO_KNOWN_TRUST, undefined)).toEqual({
      ledgerId: null,
      wrapsKey: null,
      roster: null,
      knownKeys: [],
      leastGeneration: 1,
      isPinned: false,
      allowsGeneration1: false,
    });
  });

  test('takes id, roster and WRAPS key of a signed publication as pinned', () => {
    expect(ledgerTrustOf(knowing(published(ID, true)), undefined)).toMatchObject({
      ledgerId: ID,
      isPinned: true,
      wrapsKey: WRAPS,
      roster: [{ nodeId: 5n, weight: 7n, key: KEY }],
    });
  });

  test('checks with what nobody signed, but does not take it as pinned', () => {
    expect(ledgerTrustOf(knowing(published(ID, false)), undefined)).toMatchObject({
      ledgerId: ID,
      isPinned: false,
      wrapsKey: WRAPS,
      roster: [{ nodeId: 5n }],
    });
  });

  test('takes the roster of a pinned id from anywhere, its WRAPS key from a signed unit alone', () => {
    const trust = ledgerTrustOf(knowing(published(ID, false)), pinned(ID));
    expect(trust).toMatchObject({ ledgerId: ID, isPinned: true, wrapsKey: null, roster: [{ nodeId: 5n }] });
    const both = knowing(published(ID, false, Uint8Array.of(6)), published(ID, true));
    expect(ledgerTrustOf(both, pinned(ID)).wrapsKey).toEqual(WRAPS);
  });

  test('lets the operator win, and takes nothing that belongs to another id', () => {
    expect(ledgerTrustOf(knowing(published(ID, true)), pinned(OTHER))).toMatchObject({
      ledgerId: OTHER,
      isPinned: true,
      wrapsKey: null,
      roster: null,
    });
  });

  test('keeps the first id, unless a later one alone is signed', () => {
    const idOf = (...publications: readonly KnownPublication[]) =>
      ledgerTrustOf(knowing(...publications), undefined).ledgerId;
    expect(idOf(published(ID, true), published(OTHER, true))).toEqual(ID);
    expect(idOf(published(ID, false), published(OTHER, false))).toEqual(ID);
    expect(idOf(published(ID, false), published(OTHER, true))).toEqual(OTHER);
  });

  test('takes the id that the state names when nothing was published', () => {
    const known = { ...NO_KNOWN_TRUST, stateLedgerId: ID };
    expect(ledgerTrustOf(known, undefined)).toMatchObject({ ledgerId: ID, isPinned: false, roster: null });
  });

  test('does not go back to an earlier generation than one that was accepted', () => {
    const least = (generation: 1 | 2 | null, leastGeneration: 1 | 2) =>
      ledgerTrustOf({ ...NO_KNOWN_TRUST, generation }, { ...pinned(ID), leastGeneration }).leastGeneration;
    expect([least(null, 1), least(1, 1), least(2, 1), least(1, 2)]).toEqual([1, 1, 2, 2]);
  });
});

describe('ledgerIdConflict', () => {
  const says = (ledgerId: Uint8Array) => [{ consensusTimestamp: consensusTimestamp(2n), ledgerId, body: ID }];

  test('is none where the unit says the same, or is the first to say something', () => {
    expect(ledgerIdConflict('a', says(ID), NO_KNOWN_TRUST, undefined)).toBeNull();
    expect(ledgerIdConflict('a', says(ID), knowing(published(ID, true)), undefined)).toBeNull();
    expect(ledgerIdConflict('a', says(ID), NO_KNOWN_TRUST, pinned(ID))).toBeNull();
  });

  test('is told when a later publication has another id, or two of one unit differ', () => {
    const told = ledgerIdConflict('a', says(OTHER), knowing(published(ID, true)), undefined);
    expect(told).toBe(`a names the ledger id ${bareHex(OTHER)}, but this ledger is ${bareHex(ID)}`);
    expect(ledgerIdConflict('a', says(OTHER), knowing(published(ID, true)), pinned(ID))).toBe(told);
    expect(ledgerIdConflict('a', [...says(ID), ...says(OTHER)], NO_KNOWN_TRUST, undefined)).toBe(told);
  });

  test('refuses the unit of a ledger that never had the pinned id', () => {
    expect(() => ledgerIdConflict('a', says(OTHER), NO_KNOWN_TRUST, pinned(ID))).toThrow(
      expect.objectContaining({
        code: 'ledger_id_conflict',
        message: expect.stringContaining('MIRROR_LEDGER_ID'),
      }),
    );
  });
});
