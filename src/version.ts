import { readFileSync } from 'node:fs';

/** Version of this build, from the manifest beside `src` or `dist`. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
