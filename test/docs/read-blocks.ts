import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectFiles } from '../support/test-files.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of its first fence. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The block that follows at once, such as the answer to a question. */
  readonly answer: string | null;
}

/** The README and all pages of `docs/` but the decisions. */
export const PAGES: readonly string[] = projectFiles().filter((name) =>
  /^(?:\w+|docs\/[\w-]+)\.md$/.test(name),
);

export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(ROOT + page, 'utf8');
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return fences.map((fence, index) => {
    const next = fences[index + 1];
    const isAnswered = next?.[1] === 'json' && next.index === fence.index + fence[0].length + 1;
    return {
      page,
      line: text.slice(0, fence.index).split('\n').length,
      language: fence[1] ?? '',
      text: fence[2] ?? '',
      answer: isAnswered ? (next[2] ?? '') : null,
    };
  });
}
