import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { readApiTime } from './input-members.ts';
import { createZonedTime, isTimeZone } from './zoned-time.ts';

const at = (text: string) => Date.parse(text);

describe('createZonedTime', () => {
  test.each([
    ['Etc/UTC', '2026-03-02T09:00:00.250Z', '2026-03-02T09:00:00.250Z'],
    ['Europe/London', '2026-01-02T09:00:00.000Z', '2026-01-02T09:00:00.000Z'],
    ['Europe/London', '2026-07-02T09:00:00.000Z', '2026-07-02T10:00:00.000+01:00'],
    ['America/Tijuana', '2026-01-02T03:00:00.000Z', '2026-01-01T19:00:00.000-08:00'],
    ['America/Tijuana', '2026-07-02T03:00:00.000Z', '2026-07-01T20:00:00.000-07:00'],
    ['America/New_York', '2026-03-08T06:59:59.999Z', '2026-03-08T01:59:59.999-05:00'],
    ['America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00.000-04:00'],
    ['Asia/Kathmandu', '2026-03-02T00:00:00.001Z', '2026-03-02T05:45:00.001+05:45'],
    ['Pacific/Kiritimati', '2026-12-31T12:00:00.000Z', '2027-01-01T02:00:00.000+14:00'],
  ])('in %s the instant %s is printed as %s', (zone, instant, text) => {
    expect(createZonedTime(zone).print(at(instant))).toBe(text);
  });

  test.each([
    ['America/New_York', '2026-03-02', '2026-03-02T05:00:00.000Z'],
    ['America/New_York', '2026-07-02', '2026-07-02T04:00:00.000Z'],
  ])('in %s the day %s begins with its midnight', (zone, date, instant) => {
    expect(createZonedTime(zone).startOfDay(date)).toBe(at(instant));
  });

  test.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('in %s, where clocks skip the midnight of %s, the day begins after it', (zone, date, instant) => {
    expect(createZonedTime(zone).startOfDay(date)).toBe(at(instant));
  });

  test.each([
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ])(
    'in %s, where clocks show the midnight of %s twice, the day begins with the first',
    (zone, date, instant) => {
      expect(createZonedTime(zone).startOfDay(date)).toBe(at(instant));
    },
  );

  test('a day begins on that day in every zone that changes its clocks, also when they do so at midnight', () => {
    let changing = 0;
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const time = createZonedTime(zone);
      const offsets = ['2026-01-01', '2026-07-01'].map((date) => time.print(at(date)).slice(23));
      if (offsets[0] === offsets[1]) continue;
      changing += 1;
      for (let day = at('2026-03-01'); day < at('2026-11-30'); day += 86_400_000) {
        const date = new Date(day).toISOString().slice(0, 10);
        const midnight = time.startOfDay(date);
        if (time.date(midnight) !== date || time.date(midnight - 1) >= date) expect.fail(`${zone} ${date}`);
      }
    }
    expect(changing).toBeGreaterThan(50);
  });

  test('the API reads what it prints as the same instant in every zone', () => {
    const zones = ['Etc/UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca'];
    const instants = fc.integer({ min: at('1990-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
        const time = createZonedTime(zone);
        const text = time.print(instant);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/);
        expect(readApiTime(text)).toBe(instant);
        expect(text.startsWith(time.date(instant))).toBe(true);
      }),
    );
  });
});

describe('isTimeZone', () => {
  test.each([
    ['Etc/UTC', true],
    ['Europe/Berlin', true],
    ['Mars/Olympus', false],
    ['+02:00', false],
    ['', false],
  ])('%j: %s', (name, known) => {
    expect(isTimeZone(name)).toBe(known);
  });
});
