import { expect, test } from 'vitest';
import { openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import * as fc from '../../../test/support/properties.ts';
import { parseXml, type XmlElement } from '../../../test/support/strict-xml.ts';
import { renderAtom, renderRss } from './feed-routes.ts';
import { feedView } from './feed-view.ts';

const allTexts = ({ text, children }: XmlElement): string => text + children.map(allTexts).join('');

test('whatever people write, both feeds are well-formed and show its letters', async () => {
  const opened = await openStatusArea();
  await opened.area.service.createIncident({ name: 'API down', body: 'Requests fail.' });
  const state = await opened.area.repository.readHistory('', { offset: 0, limit: 1 });
  await opened.close();
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(']]>', '<![CDATA[', '&lt;', '\0', '\uD800'),
  );
  fc.assert(
    fc.property(text, text, text, (pageName, name, body) => {
      const feed = feedView({
        ...state,
        page: { ...state.page, name: `${pageName}ABC` },
        incidents: state.incidents.map((incident) => ({
          ...incident,
          name: `${name}DEF`,
          updates: incident.updates.map((update) => ({ ...update, body: `${body}GHI` })),
        })),
      });
      for (const rendered of [renderAtom(feed), renderRss(feed)]) {
        const shown = allTexts(parseXml(rendered));
        for (const letters of ['ABC', 'DEF', 'GHI']) expect(shown).toContain(letters);
      }
    }),
    { numRuns: 300 },
  );
});
