import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A tab that remembers what must not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Address of each request, in order. */
  readonly requests: readonly string[];
  /** Errors and warnings of the console (violations of the content policy among them), uncaught errors, dialogs. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Opens a tab in a profile of its own. */
export async function openWatchedPage(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, requests, complaints, close: () => context.close() };
}
