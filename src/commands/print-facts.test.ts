import { expect, test } from 'vitest';
import { renderTable } from './print-facts.ts';

test('a table has one line per row, and no cell can steer the terminal', () => {
  const rows = [
    ['id', 'name'],
    ['1', 'a\u001b[2Jb\nc'],
    ['22', 'd'],
  ];
  expect(renderTable(rows)).toBe('id  name\n1   a [2Jb c\n22  d');
});
