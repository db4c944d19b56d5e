import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStatusArea, START } from '../../../test/kit/status/open-status-area.ts';
import { aFolder } from '../../../test/kit/storage/a-folder.ts';
import { openSqlite } from '../../storage/sqlite.ts';

/** All of them with who caused them, which no answer tells. */
function rowsOf(file: string): readonly unknown[] {
  const database = openSqlite(file);
  const rows = database
    .prepare('SELECT from_status, to_status, layer, cause FROM status_component_event ORDER BY seq')
    .raw()
    .all();
  database.close();
  return rows;
}

describe('events of components', () => {
  test('are all changes of the public status, from creation on', async () => {
    const file = join(aFolder(), 'page.sqlite');
    const { area, clock, close } = await openStatusArea({ file });
    const { id } = await area.service.createComponent({ name: 'a' });
    clock.advance(1000);
    await area.service.updateComponent(id, { status: 'partial_outage' });
    await area.service.setMonitorStatuses(new Map([[id, 'major_outage']]));
    await area.service.updateComponent(id, { description: 'unrelated' });
    await close();
    expect(rowsOf(file)).toEqual([
      [null, 'operational', 'manual', 'component'],
      ['operational', 'partial_outage', 'manual', 'component'],
      ['partial_outage', 'major_outage', 'monitor', 'monitor'],
    ]);
  });

  test("are made for the server's own downtime", async () => {
    const file = join(aFolder(), 'page.sqlite');
    const probes = [{ name: 'database', check: async () => null }];
    const options = { builtinComponents: true };
    const first = await openStatusArea({ file, probes, options });
    await first.area.start();
    const before = rowsOf(file).length;
    // Ends like a process that was killed: no last sign of life.
    await first.close();
    const second = await openStatusArea({ file, probes, options, now: START + 600_000 });
    await second.area.start();
    await second.area.close();
    await second.close();
    expect(rowsOf(file).slice(before)).toEqual([
      ['operational', 'major_outage', 'monitor', 'service not running'],
      ['major_outage', 'operational', 'monitor', 'service not running'],
    ]);
  });
});
