import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { LOOKED_AT } from './busy-content.ts';
import type { PageAuthor } from './page-author.ts';

/** One word of the greatest length that a name may have. */
export const MAX_WORD_LENGTH = 'W'.repeat(255);

/** Puts those texts and overlong words into everything that an author can name or describe. */
export async function writeHostileContent(author: PageAuthor): Promise<{ readonly incidentId: string }> {
  author.clock.set(LOOKED_AT - 20 * 86_400_000);
  const all = HOSTILE_TEXTS.join('\n\n');
  await author.change('', 'page', { name: HOSTILE_TEXTS[1], page_description: all });
  const ids: string[] = [];
  for (const name of [...HOSTILE_TEXTS, MAX_WORD_LENGTH]) {
    const { id } = await author.create('components', 'component', { name, description: name });
    ids.push(id);
  }
  await author.create('component-groups', 'component_group', {
    name: HOSTILE_TEXTS[2],
    description: MAX_WORD_LENGTH,
    components: ids.slice(-3),
  });
  const body = `${all}\n\n${MAX_WORD_LENGTH}${MAX_WORD_LENGTH}`;
  author.clock.set(LOOKED_AT - 86_400_000);
  const past = await author.create('incidents', 'incident', { name: HOSTILE_TEXTS[3], body });
  await author.change(`incidents/${past.id}`, 'incident', { status: 'resolved', body: MAX_WORD_LENGTH });
  await author.create('incidents', 'incident', {
    name: HOSTILE_TEXTS[0],
    body,
    scheduled_for: new Date(LOOKED_AT + 86_400_000).toISOString(),
    scheduled_until: new Date(LOOKED_AT + 90_000_000).toISOString(),
    component_ids: ids,
  });
  const incident = await author.create('incidents', 'incident', {
    name: MAX_WORD_LENGTH,
    body,
    components: Object.fromEntries(ids.map((id) => [id, 'partial_outage'])),
  });
  await author.change(`incidents/${incident.id}`, 'incident', {
    status: 'identified',
    body: HOSTILE_TEXTS[6],
  });
  author.clock.set(LOOKED_AT);
  return { incidentId: incident.id };
}
