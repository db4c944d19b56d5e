import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'lossless-json';
import { FixtureError } from './fixture-error.ts';
import type { NamedFixture } from './resettable-server.ts';
import type { Fixture } from './test-server.ts';

/** The name that messages give to what has no file. */
const NAME = 'fixture';

/** Brings a fixture into the form in which files have it. @throws FixtureError when it cannot be read. */
export async function readGivenFixture(fixture: Fixture): Promise<NamedFixture> {
  if (typeof fixture === 'string') {
    const isText = /^\s*[{#]|\n/.test(fixture) || fixture.trim() === '';
    return isText ? { name: NAME, contents: Buffer.from(fixture) } : readFixtureFile(fixture);
  }
  if (fixture instanceof URL) return readFixtureFile(pathOf(fixture));
  if (!Array.isArray(fixture)) {
    throw new FixtureError(
      'malformed',
      'A fixture must be a list of objects, a text, a path or a file URL',
      null,
    );
  }
  return { name: NAME, contents: Buffer.from(fixture.map(printLine).join('\n')) };
}

/** Integers may be bigint, which JSON has no other way to tell. */
function printLine(object: unknown, index: number): string {
  const isObject = typeof object === 'object' && object !== null && !Array.isArray(object);
  const line = isObject ? stringify(object) : undefined;
  if (line !== undefined) return line;
  throw new FixtureError('malformed', `Malformed ${NAME}, line ${index + 1}: must be an object`, index + 1);
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new FixtureError('unreadable_file', `${url} is not the URL of a file`, null, cause);
  }
}

async function readFixtureFile(path: string): Promise<NamedFixture> {
  try {
    return { name: basename(path), contents: await readFile(path) };
  } catch (cause) {
    throw new FixtureError(
      'unreadable_file',
      `Cannot read the fixture ${path}: ${(cause as Error).message}. (A text has a line break or begins with "{".)`,
      null,
      cause,
    );
  }
}
