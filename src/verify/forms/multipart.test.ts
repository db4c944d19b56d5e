import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { VerifyRequestError } from '../errors.ts';
import { readMultipart } from './read-form.ts';

const TYPE = 'multipart/form-data; boundary=xyz';
const body = (...parts: readonly string[]) =>
  Buffer.from(`${parts.map((part) => `--xyz\r\n${part}\r\n`).join('')}--xyz--\r\n`);

describe('readMultipart', () => {
  test('reads fields and files in order', () => {
    const { fields, files } = readMultipart(
      body(
        'Content-Disposition: form-data; name="address"\r\n\r\n0x1',
        'Content-Disposition: form-data; name="files"; filename="a.sol"\r\nContent-Type: text/plain\r\n\r\ncontract A {}\r\n',
        'content-disposition: form-data; filename=b.sol; name=files\r\n\r\n',
      ),
      'multipart/form-data; charset=utf-8; boundary="xyz"',
    );
    expect(fields).toEqual(new Map([['address', '0x1']]));
    expect(files).toEqual([
      { field: 'files', name: 'a.sol', text: 'contract A {}\r\n' },
      { field: 'files', name: 'b.sol', text: '' },
    ]);
  });

  test('gives back what a standard client writes, whatever the texts are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.stringMatching(/^[\w./ "%é-]{1,12}$/), fc.string({ unit: 'grapheme' })), {
          maxLength: 5,
        }),
        async (entries) => {
          const form = new FormData();
          for (const [name, text] of entries) form.append('files', new Blob([text]), name);
          const request = new Request('http://x.test/', { method: 'POST', body: form });
          const sent = Buffer.from(await request.arrayBuffer());
          const { files } = readMultipart(sent, request.headers.get('content-type') ?? '');
          // The client writes a quotation mark as %22, which nobody can tell from the same three characters.
          expect(files.map(({ name, text }) => [name, text])).toEqual(
            entries.map(([name, text]) => [name.replaceAll('%22', '"'), text]),
          );
        },
      ),
    );
  });

  test.each([
    ['no boundary', body('x'), 'multipart/form-data'],
    ['another boundary', body('x'), 'multipart/form-data; boundary=abc'],
    [
      'an end that is missing',
      Buffer.from('--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'),
      TYPE,
    ],
    ['a part without headers', body('nothing'), TYPE],
    ['a part without a name', body('Content-Disposition: form-data\r\n\r\n1'), TYPE],
    [
      'too many parts',
      body(...Array<string>(20_001).fill('Content-Disposition: form-data; name=a\r\n\r\n')),
      TYPE,
    ],
  ])('refuses a body with %s', (_, sent, type) => {
    expect(() => readMultipart(sent, type)).toThrow(VerifyRequestError);
  });

  test('never fails in another way', () => {
    const pieces = fc.constantFrom(
      '--xyz',
      '\r\n',
      '--',
      'Content-Disposition: form-data; name="',
      '"',
      'a',
      '; filename=',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          readMultipart(Buffer.from(parts.join('')), TYPE);
        } catch (error) {
          expect(error).toBeInstanceOf(VerifyRequestError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
