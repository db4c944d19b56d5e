import { describe, expect, test } from 'vitest';
import { cutPage, EMPTY_PAGE, ROW_SEPARATOR } from './page-text.ts';

const row = (second: number) =>
  `{"bytes":null,"consensus_timestamp":"${second}.000000001","parent_consensus_timestamp":"9.000000009"}`;

describe('cutPage', () => {
  test('drops the row beyond the limit and tells that it was there', () => {
    const text = [row(3), row(2), row(1)].join(ROW_SEPARATOR);
    const page = cutPage(text, 3, 2);
    expect(page).toMatchObject({ count: 2, first: '3.000000001', last: '2.000000001', hasMore: true });
    expect(JSON.parse(`[${page.rows}]`)).toHaveLength(2);
  });

  test('keeps a page that is not full, or just full, whole', () => {
    const text = [row(3), row(2)].join(ROW_SEPARATOR);
    for (const limit of [2, 3]) {
      const page = cutPage(text, 2, limit);
      expect(page).toMatchObject({ count: 2, first: '3.000000001', last: '2.000000001', hasMore: false });
      expect(page.rows).toBe(text);
    }
  });

  test('is empty without rows', () => {
    expect(cutPage('', 0, 25)).toBe(EMPTY_PAGE);
    expect(EMPTY_PAGE.rows).toBe('');
  });
});
