import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  asStreamUnit,
  type MadeUpUnit,
  madeUpUnits,
  pagedSource,
} from '../../../../test/kit/mirror/ingest/made-up-units.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { IngestError } from '../errors.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { createImporter } from './importer.ts';
import { UnitsAhead } from './wanted-units.ts';

/** A unit that tells when it is prepared and verified, with what took long in between. */
function preparing(unit: MadeUpUnit, events: string[]): StreamUnit {
  const plain = asStreamUnit(unit);
  return {
    ...plain,
    prepare: ({ mode }) => void events.push(`prepare ${unit.number} for ${mode}`),
    async verify(demands) {
      events.push(`verify ${unit.number}`);
      await setImmediate();
      return plain.verify(demands);
    },
  };
}

function importing(units: readonly StreamUnit[], pageSize: number, events: string[] = []) {
  const ledger = memoryLedger();
  const importer = createImporter({
    repository: ledger.repository,
    source: pagedSource(units, pageSize, events),
    options: { sharesCommits: false },
  });
  return { importer, stored: () => ledger.units.map(({ header }) => header.name) };
}

describe('an import', () => {
  test('lets the next units prepare themselves before their turn, over pages', async () => {
    const events: string[] = [];
    const units = madeUpUnits(8).map((unit) => preparing(unit, events));
    const { importer, stored } = importing(units, 1);
    expect(await importer.run()).toMatchObject({ units: 8, verification: 'signatures' });
    expect(stored()).toHaveLength(8);
    const at = (event: string) => events.indexOf(event);
    // The first ones may not have come when the run begins; from then on each is some units ahead.
    for (let number = 3; number < 8; number++) {
      expect(at(`prepare ${number} for signatures`)).toBeGreaterThanOrEqual(0);
      expect(at(`prepare ${number} for signatures`)).toBeLessThan(at(`verify ${number - 1}`));
    }
  });

  test('takes nothing behind a unit that was refused, however far it was prepared', async () => {
    const units = madeUpUnits(6).map((unit, index) =>
      preparing(index === 2 ? { ...unit, seal: new Uint8Array(48) } : unit, []),
    );
    const { importer, stored } = importing(units, 2);
    expect(await importer.run()).toMatchObject({ refused: [{ name: '2.madeup', code: 'bad_signature' }] });
    expect(stored()).toEqual(['0.madeup', '1.madeup']);
  });

  test('stores what came before a fault of the source', async () => {
    const units = madeUpUnits(3).map((unit) => preparing(unit, []));
    const { importer, stored } = importing(units, 1);
    const failing = {
      name: 'made up',
      addressBook: async () => null,
      async list() {
        return {
          older: [],
          pages: (async function* () {
            yield* units.map((unit) => [unit]);
            throw new IngestError('source_unreachable', 'the line is cut');
          })(),
        };
      },
    };
    expect(await importer.run()).toMatchObject({ units: 3 });
    expect(stored()).toHaveLength(3);
    const ledger = memoryLedger();
    const broken = createImporter({ repository: ledger.repository, source: failing });
    await expect(broken.run()).rejects.toThrow('the line is cut');
    expect(ledger.units).toHaveLength(3);
  });
});

describe('UnitsAhead', () => {
  const walk = (units: readonly StreamUnit[]) => {
    let asked = 0;
    const ahead = new UnitsAhead(async () => units[asked++] ?? null);
    return { ahead, asked: () => asked };
  };

  test('asks for one unit after the other where they prepare nothing', async () => {
    const { ahead, asked } = walk(madeUpUnits(6).map(asStreamUnit));
    await ahead.next();
    await setImmediate();
    expect([asked(), ahead.waiting.length]).toEqual([1, 0]);
  });

  test('is some units ahead of those that do, in their order', async () => {
    const units = madeUpUnits(9).map((unit) => preparing(unit, []));
    const { ahead, asked } = walk(units);
    const given: (StreamUnit | null)[] = [await ahead.next()];
    await setImmediate();
    expect([asked(), ahead.waiting.length]).toEqual([5, 4]);
    while (given.at(-1) !== null) given.push(await ahead.next());
    expect(given).toEqual([...units, null]);
    expect(ahead.waiting).toEqual([]);
  });
});
