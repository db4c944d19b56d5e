import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

/** Pictures of what the tests look at. */
export interface Screenshots {
  /** Takes one of the whole page with `TEST_SCREENSHOTS=on`, for people to look at; tests do without them. */
  take(page: Page, name: string): Promise<void>;
  /** Takes one of each open tab, whatever is set: what a failed test saw. */
  keepFailure(browser: Browser, testName: string): Promise<void>;
}

/** Pictures in a folder below `TEST_ARTIFACTS`. */
export function screenshotsIn(folderName: string): Screenshots {
  const folder = join(
    process.env['TEST_ARTIFACTS'] ?? fileURLToPath(new URL('../../test-artifacts', import.meta.url)),
    folderName,
  );
  const save = async (page: Page, name: string): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  };
  return {
    async take(page, name) {
      if (process.env['TEST_SCREENSHOTS'] === 'on') await save(page, name);
    },
    async keepFailure(browser, testName) {
      const name = testName.replace(/\W+/g, '-').slice(0, 80);
      const pages = browser.contexts().flatMap((context) => context.pages());
      for (const [index, page] of pages.entries()) await save(page, `failed-${name}-${index + 1}`);
    },
  };
}
