import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe on the open page, whose tab must be one that bypasses the content policy.
 *
 * @returns one line per violated rule, with the places.
 */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // Of rules that are kept one place each is enough; telling them all takes long on long pages.
  const options = JSON.stringify({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] });
  const { violations, passes } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
  // A run that looked at nothing would find nothing.
  if (passes.length === 0) throw new Error(`axe looked at nothing on ${page.url()}`);
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  );
}
