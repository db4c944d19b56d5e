import { readFileSync } from 'node:fs';
import { projectFiles } from '../support/test-files.ts';
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

/** Begin as a command does, and are none. */
const NO_COMMANDS = new Set([
  'in part',
  'not linked',
  'by the proof of',
  "declare module '../rows.ts'",
  "import { start } from 'ledgerlens'",
  'contracts/streams.md section 6',
]);

/** Whether it is a program's name with words after it, or a call with variables before it. */
export function isCommand(text: string): boolean {
  const [name = '', ...rest] = withoutVariables(text).split(/\s+/);
  if (NO_COMMANDS.has(text)) return false;
  return /^[a-z][\w./-]*$/.test(name) && rest.length > 0;
}

export function withoutVariables(text: string): string {
  return text.replace(/^(?:[A-Z_]+=(?:'[^']*'|\S+)\s+)+/, '');
}

export const commandsOfSentences = (): readonly string[] =>
  inlineSpans().flatMap(({ text }) => (isCommand(text) ? [text] : []));

const PROGRAM =
  /(?:[A-Z_]+=\S+ )*\b(?:docker|kubectl|promtool|npm|npx|cp|node|ledgerlens) (?:-|[a-z]+[ /])[^`\n]*/;

/** What comments of `deploy/` and `examples/` say to run: on a line of its own, after a colon, or in code marks. */
export function commandsOfComments(): readonly string[] {
  return projectFiles()
    .filter((path) => /^(?:deploy|examples)\/|^Dockerfile$/.test(path))
    .flatMap((file) => [...readFileSync(ROOT + file, 'utf8').matchAll(/^\s*(?:#|\/\/) ?(.*)$/gm)])
    .flatMap(([, comment = '']) =>
      comment.includes('`')
        ? [...comment.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter(isCommand)
        : (new RegExp(`(?:^ *|: )(${PROGRAM.source})`).exec(comment)?.[1] ?? []),
    );
}
