import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createBusyStatusPage, createClosedStatusPage } from '../../test/kit/status/busy-page.ts';
import { openStatusArea } from '../../test/kit/status/open-status-area.ts';
import { runScenario, type Scenario } from '../../test/kit/status/scenario.ts';
import { sharedJsonFiles, sharedPath } from '../../test/shared-data.ts';
import { describeShared } from '../../test/support/shared-suites.ts';

describeShared('scenarios of the status page', () => {
  const files = sharedJsonFiles('cases', 'status').filter(({ name }) => /^\d\d-/.test(name));
  test.each(files)('$name gives the expected answers and summaries', async ({ path }) => {
    const scenario = JSON.parse(readFileSync(path, 'utf8')) as Scenario;
    const { id, name, url, time_zone } = scenario.page;
    const opened = await openStatusArea({
      options: { pageId: id, pageName: name, pageUrl: url, timeZone: time_zone },
      now: Date.parse(scenario.start),
    });
    const app = Fastify();
    await app.register(opened.area.routes);
    const isStrict = strictSummary();

    const result = await runScenario(scenario, opened.area, opened.clock, async () => {
      const summary = (await app.inject('/api/v2/summary.json')).json();
      expect(isStrict(summary), JSON.stringify(isStrict.errors)).toBe(true);
      return summary;
    });
    await app.close();
    await opened.close();

    expect(result.failures).toEqual([]);
    expect(result.comparedSummaries).toBe(scenario.steps.filter((step) => step.summary !== undefined).length);
  });
});

describeShared('pages of the specification cases', () => {
  test.each([
    ['first start', async () => undefined, 'summary.json'],
    ['status-busy', createBusyStatusPage, 'summary-busy.json'],
    ['status-closed', createClosedStatusPage, 'summary.json'],
  ])('%s gives the summary that the specification and the contract ask for', async (_, fill, schema) => {
    const schemaFile = (name: string) => readFileSync(sharedPath('cases', 'seed', 'schemas', name), 'utf8');
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(ajv);
    ajv.addSchema(['summary.json', 'summary-busy.json'].map((name) => JSON.parse(schemaFile(name))));
    for (const builtinComponents of [false, true]) {
      const opened = await openStatusArea({ options: { builtinComponents } });
      await fill(opened.area);
      const app = Fastify();
      await app.register(opened.area.routes);
      const summary = (await app.inject('/api/v2/summary.json')).json();
      expect(ajv.validate(schema, summary), JSON.stringify(ajv.errors)).toBe(true);
      expect(strictSummary()(summary)).toBe(true);
      await app.close();
      await opened.close();
    }
  });
});

function strictSummary() {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile(
    JSON.parse(readFileSync(sharedPath('contracts', 'data', 'summary.strict.schema.json'), 'utf8')),
  );
}
