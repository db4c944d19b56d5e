import { describe, expect, test } from 'vitest';
import { smallScheduleBytes } from '../../../../test/kit/mirror/fees/schedules.ts';
import { ManualClock } from '../../../values/clock.ts';
import type { FileVersion } from '../../ledger/files/file-repository.ts';
import { readBundledSchedule } from './fee-schedule.ts';
import { createFeeScheduleSource } from './fee-schedule-source.ts';

interface Piece {
  readonly at: bigint;
  readonly begins: boolean;
  readonly contents: Uint8Array;
}

/** A ledger with one file, given as pieces in order. */
class LedgerFile {
  readonly pieces: Piece[] = [];
  reads = 0;
  fault: Error | null = null;

  async newestVersion(_file: bigint, _lower: bigint, upper: bigint): Promise<FileVersion | null> {
    this.reads += 1;
    if (this.fault !== null) throw this.fault;
    const visible = this.pieces.filter(({ at }) => at <= upper);
    const start = visible.findLastIndex(({ begins }) => begins);
    if (start < 0) return null;
    const version = visible.slice(start);
    return {
      contents: Buffer.concat(version.map(({ contents }) => contents)),
      firstTimestamp: version[0]?.at ?? 0n,
      lastTimestamp: version.at(-1)?.at ?? 0n,
    };
  }

  add(at: bigint, contents: Uint8Array, begins = true): void {
    this.pieces.push({ at, begins, contents });
  }
}

function setUp() {
  const file = new LedgerFile();
  const clock = new ManualClock(0);
  const faults: unknown[] = [];
  const initial = { schedule: readBundledSchedule(), origin: 'bundled' as const };
  const source = createFeeScheduleSource({
    initial,
    files: file,
    clock,
    reportFault: (fault) => faults.push(fault),
  });
  const later = async () => {
    clock.advance(1000);
    return source.current();
  };
  return { file, clock, faults, source, later };
}

describe('createFeeScheduleSource', () => {
  test('uses the bundled schedule until the ledger has one', async () => {
    const { file, source, later } = setUp();
    expect((await source.current())?.origin).toBe('bundled');
    file.add(10n, smallScheduleBytes(111));
    expect(await later()).toMatchObject({ origin: 10n, schedule: { node: { baseFee: 111n } } });
  });

  test('waits for the last piece of a version and keeps the one before', async () => {
    const { file, source, later, faults } = setUp();
    file.add(10n, smallScheduleBytes(111));
    const next = smallScheduleBytes(222);
    file.add(20n, next.subarray(0, 50));
    expect((await source.current())?.origin).toBe(10n);
    expect(faults).toHaveLength(1);
    file.add(21n, next.subarray(50), false);
    expect(await later()).toMatchObject({ origin: 21n, schedule: { node: { baseFee: 222n } } });
  });

  test('goes back over appends that spoil a version', async () => {
    const { file, source } = setUp();
    file.add(10n, smallScheduleBytes(111));
    file.add(11n, Buffer.from('zz'), false);
    file.add(12n, Buffer.from('zz'), false);
    expect((await source.current())?.origin).toBe(10n);
  });

  test('stays with the bundled schedule when the ledger never had a valid one', async () => {
    const { file, source } = setUp();
    file.add(10n, Buffer.from('no'));
    expect((await source.current())?.origin).toBe('bundled');
  });

  test('looks at the ledger once per interval, at once when asked to', async () => {
    const { file, source, clock } = setUp();
    await source.current();
    clock.advance(999);
    await source.current();
    expect(file.reads).toBe(1);
    file.add(10n, smallScheduleBytes());
    await source.refresh();
    expect((await source.current())?.origin).toBe(10n);
  });

  test('callers at the same time share one look', async () => {
    const { file, source } = setUp();
    await Promise.all([source.current(), source.current(), source.current()]);
    expect(file.reads).toBe(1);
  });

  test('does not decode an unchanged file again', async () => {
    const { file, source, later, faults } = setUp();
    file.add(10n, Buffer.from('no'));
    await source.current();
    await later();
    expect(faults).toHaveLength(1);
  });

  test('keeps the last schedule while the store is down, and reports it', async () => {
    const { file, source, later, faults } = setUp();
    file.add(10n, smallScheduleBytes());
    await source.current();
    file.fault = new Error('down');
    expect((await later())?.origin).toBe(10n);
    expect(faults).toEqual([file.fault]);
  });

  test('fails when the store could not be read even once', async () => {
    const { file, source } = setUp();
    file.fault = new Error('down');
    await expect(source.current()).rejects.toThrow('down');
    file.fault = null;
    expect((await source.current())?.origin).toBe('bundled');
  });
});
