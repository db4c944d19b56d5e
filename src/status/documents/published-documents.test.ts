import { expect, test } from 'vitest';
import { openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { PublishedDocuments } from './published-documents.ts';

test('what another process changed is noticed within a second', async () => {
  const { area, clock, close } = await openStatusArea();
  const documents = new PublishedDocuments(area.repository, clock, (error) => {
    throw error;
  });
  await documents.rebuild();
  const before = await documents.newestRevision();
  await area.service.createComponent({ name: 'API' });
  clock.advance(1_000);
  expect(await documents.newestRevision()).toBeGreaterThan(before);
  expect(String(await (await documents.get('/api/v2/components.json')).plain.bytes())).toContain('"API"');
  await close();
});
