import { expect, test } from 'vitest';
import { startTestServer } from '../test/support/test-server.ts';

async function figures(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('ledgerlens_'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('tell the build, the size of the database and how the components are', async () => {
  const server = await startTestServer({ env: { GIT_COMMIT: 'abc123' }, onDisk: true });
  try {
    const found = await figures(server.url);
    expect(
      found.get(`ledgerlens_build_info{version="0.1.0",commit="abc123",node="${process.version}"}`),
    ).toBe(1);
    expect(found.get('ledgerlens_database_bytes{kind="used"}')).toBeGreaterThan(100_000);
    expect(found.get('ledgerlens_database_bytes{kind="log"}')).toBeGreaterThan(0);
    expect(found.has('ledgerlens_database_bytes{kind="free"}')).toBe(true);
    expect(found.get('ledgerlens_disk_free_ratio')).toBeGreaterThan(0);

    const { service } = server.services.status;
    const { id } = await service.by({ name: 'test' }).createComponent({ name: 'REST "API"' });
    const series = (status: string) =>
      `ledgerlens_status_component{component="REST \\"API\\"",status="${status}"}`;
    expect((await figures(server.url)).get(series('operational'))).toBe(1);
    await service.by({ name: 'test' }).updateComponent(id, { status: 'major_outage' });
    const later = await figures(server.url);
    expect([later.get(series('operational')), later.get(series('major_outage'))]).toEqual([undefined, 1]);
  } finally {
    await server.close();
  }
});
