import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/adr/', import.meta.url));

const decisions = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => ({ number: Number(name.slice(0, 4)), text: readFileSync(FOLDER + name, 'utf8') }));

const textOf = new Map(decisions.map(({ number, text }) => [number, text]));

/** Later and earlier decision, as the later ones say it. */
const superseded = decisions.flatMap(({ number, text }) =>
  [...text.matchAll(/^Supersedes .+$/gm)].flatMap(([sentence]) =>
    [...sentence.matchAll(/\bADR (\d+)\b/g)].map((match) => [number, Number(match[1])] as const),
  ),
);

describe('the decisions in docs/adr', () => {
  test('have one number each, which begins the title', () => {
    expect(decisions.length).toBeGreaterThan(30);
    expect(textOf.size).toBe(decisions.length);
    const misnumbered = decisions.filter(({ number, text }) => !text.startsWith(`# ${number}. `));
    expect(misnumbered.map(({ number }) => number)).toEqual([]);
  });

  test('name the decisions that they supersede', () => {
    expect(superseded).toContainEqual([34, 10]);
    const unnamed = decisions.filter(
      ({ number, text }) => /^Supersedes /m.test(text) && !superseded.some(([later]) => later === number),
    );
    expect(unnamed.map(({ number }) => number)).toEqual([]);
  });

  test.each(superseded)('%i supersedes %i, which says so below its title', (later, earlier) => {
    const status = /^# .+\n\nStatus: (.+)$/m.exec(textOf.get(earlier) ?? '')?.[1] ?? 'no status';
    expect(status).toMatch(/^superseded (?:in part|by ADR)/);
    expect([...status.matchAll(/\bADR (\d+)\b/g)].map((match) => Number(match[1]))).toContain(later);
  });
});
