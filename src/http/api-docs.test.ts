import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ownFile } from '../own-files.ts';
import { DOCUMENT_NAMES, openApiTexts } from './api-docs.ts';

const OPENAPI = ownFile('../openapi/');

test.each(['/lens', '/a/b-c', `/"quoted'`, "/$&$1$`$'$$", '/back\\slash', '/%22', '/ä'])(
  'the server below %s is named in documents that differ in nothing else, compact ones too',
  async (root) => {
    const compact = mkdtempSync(join(tmpdir(), 'ledgerlens-openapi-'));
    onTestFinished(() => rmSync(compact, { recursive: true }));
    for (const name of DOCUMENT_NAMES) {
      const document: object = JSON.parse(await openApiTexts(OPENAPI, '')(name));
      writeFileSync(join(compact, `${name}.json`), JSON.stringify(document));
      expect(document).toMatchObject({ servers: [{ url: '/' }] });
      for (const folder of [OPENAPI, pathToFileURL(`${compact}/`)])
        expect(JSON.parse(await openApiTexts(folder, root)(name))).toEqual({
          ...document,
          servers: [{ url: root }],
        });
    }
  },
);

test('a file is read once, and again when it could not be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const textOf = openApiTexts(pathToFileURL(`${folder}/`), '');
  await expect(textOf('all')).rejects.toThrow('ENOENT');
  writeFileSync(join(folder, 'all.json'), 'one');
  expect(await textOf('all')).toBe('one');
  writeFileSync(join(folder, 'all.json'), 'two');
  expect(await textOf('all')).toBe('one');
});
