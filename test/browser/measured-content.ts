import { bucketOf } from '../../src/status/uptime/response-buckets.ts';
import { LOOKED_AT } from './busy-content.ts';
import type { PageAuthor } from './page-author.ts';

const DAY_MS = 86_400_000;

/** Measured parts with 90 days of response times, a gap of a week in them, and an open incident without components. */
export async function writeMeasuredContent(author: PageAuthor): Promise<void> {
  const { responseTimes } = author.server.store.status;
  const parts = [
    ['verification-api', 9],
    ['mirror-api', 40],
    ['fee-estimation', 300],
    ['database', 1],
  ] as const;
  const counts = Array.from({ length: 90 }, (_, day) => day)
    .filter((day) => day < 40 || day > 46)
    .flatMap((day) => {
      const date = new Date(LOOKED_AT - (89 - day) * DAY_MS).toISOString().slice(0, 10);
      const wave = 1 + 0.3 * Math.sin(day / 5);
      return parts.flatMap(([probe, ms]) => [
        { probe, date, bucket: bucketOf(ms * wave), count: 90 },
        { probe, date, bucket: bucketOf(ms * wave * (day % 17 === 0 ? 9 : 2.5)), count: 10 },
      ]);
    });
  await responseTimes.add(counts, '2000-01-01');
  await author.create('incidents', 'incident', {
    name: 'Logs arrive late',
    body: 'Nothing else is affected.',
  });
}
