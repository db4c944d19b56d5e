import { buffer } from 'node:stream/consumers';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { entryNames, zipFiles } from './zip-files.ts';

const LONG = Array.from({ length: 200_000 }, (_, index) => `line ${(index * 7919) % 104_729}\n`).join('');
const FILES = [
  { path: 'src/A.sol', content: 'contract A {}\r\n' },
  { path: 'src/a.sol', content: 'contract SameNameInAnotherCase {}' },
  { path: '../../etc/passwd', content: 'root' },
  { path: 'src/Ünïcode/契約.sol', content: '// \u202e 契約 🪙\n' },
  { path: 'empty.sol', content: '' },
  { path: 'long.sol', content: LONG },
];

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_FILE = 0x04034b50;
const UTF8_NAMES = 0x0800;

/** Unpacks as tools do: by the directory at the end; each checksum and length is compared. */
function unpack(zip: Buffer): Map<string, string> {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(END_OF_DIRECTORY);
  const count = zip.readUInt16LE(end + 10);
  const directoryBytes = zip.readUInt32LE(end + 12);
  const start = zip.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  let at = start;
  for (let index = 0; index < count; index += 1) {
    expect(zip.readUInt32LE(at)).toBe(DIRECTORY_ENTRY);
    expect(zip.readUInt16LE(at + 8) & UTF8_NAMES).toBe(UTF8_NAMES);
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    const content = contentOf(zip, at);
    expect([name, crc32(content)]).toEqual([name, zip.readUInt32LE(at + 16)]);
    expect([name, content.length]).toEqual([name, zip.readUInt32LE(at + 24)]);
    files.set(name, content.toString());
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  expect(at).toBe(start + directoryBytes);
  expect(files.size).toBe(count);
  return files;
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const local = zip.readUInt32LE(entry + 42);
  expect(zip.readUInt32LE(local)).toBe(LOCAL_FILE);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(from, from + zip.readUInt32LE(entry + 20));
  return zip.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed);
}

test('every file comes out of the zip as it went in, under a safe name', async () => {
  const unpacked = unpack(await buffer(await zipFiles(FILES)));
  const names = await entryNames(FILES.map(({ path }) => path));
  expect([...unpacked.keys()]).toEqual(names);
  expect([...unpacked.values()]).toEqual(FILES.map(({ content }) => content));
  expect(names).toContain('src/A.sol');
  for (const name of names) expect(name).not.toMatch(/^\/|\.\./);
});

test('a zip of no file is one', async () => {
  expect(unpack(await buffer(await zipFiles([])))).toEqual(new Map());
});

test('a file may come in pieces, which are asked for as the client reads', async () => {
  let made = 0;
  function* pieces() {
    for (let from = 0; from < LONG.length; from += 10_000) {
      made += 1;
      yield LONG.slice(from, from + 10_000);
    }
  }
  const stream = await zipFiles([{ path: 'long.json', content: pieces() }]);
  expect(made).toBe(0);
  expect(unpack(await buffer(stream)).get('long.json')).toBe(LONG);
  expect(made).toBe(Math.ceil(LONG.length / 10_000));
});
