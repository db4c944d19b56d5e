import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from '../../src/index.ts';

/** What the page about tests shows is run as it stands there, but for the place that the package is taken from. */
const PAGE = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');

test('the example for JavaScript runs and finds what it loads', async () => {
  const [, example = ''] = /```js\nimport \{ start \} from 'ledgerlens';\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (given: typeof start) => Promise<unknown>;
  const account = await new AsyncFunction('start', `${example}\nreturn account;`)(start);
  expect(account).toMatchObject({ account: '0.0.1001', memo: 'first', balance: { balance: 500 } });
});
