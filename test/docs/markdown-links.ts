import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from '../support/test-files.ts';
import { ROOT } from './read-blocks.ts';

/** Every Markdown file of the repository. */
export const MARKDOWN_FILES: readonly string[] = projectFiles().filter((path) => path.endsWith('.md'));

/** Links of a page whose file or heading does not exist. */
export function brokenLinks(page: string): readonly string[] {
  const text = readFileSync(ROOT + page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    .filter(([, path = '', anchor]) => {
      const file = path === '' ? ROOT + page : join(ROOT, dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    })
    .map(([link]) => link);
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
