import { readFileSync } from 'node:fs';
import { PAGES, ROOT } from './read-blocks.ts';

/** Words in code marks within a sentence or table of a page. */
export interface Span {
  readonly page: string;
  readonly text: string;
}

/** Printed from the table of commands or of routes itself, which `test/openapi/freshness.test.ts` compares. */
const PRINTED = new Set([
  'docs/commands.md',
  'docs/coverage.md',
  'docs/endpoints.md',
  'THIRD_PARTY_NOTICES.md',
]);
const PRINTED_PART = /<!-- coverage: [\s\S]*?<!-- end of coverage -->/;

/** All of the pages that people write, each once for a page. */
export function inlineSpans(): readonly Span[] {
  return PAGES.filter((page) => !PRINTED.has(page)).flatMap((page) => {
    const text = readFileSync(ROOT + page, 'utf8')
      .replace(/^```[\s\S]*?^```$/gm, '')
      .replace(PRINTED_PART, '');
    const spans = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span));
    return [...spans].map((span) => ({ page, text: span }));
  });
}
