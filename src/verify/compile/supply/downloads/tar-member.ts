const BLOCK_BYTES = 512;
const REGULAR_FILE = new Set(['0', '\0']);

/**
 * Takes one file out of an unpacked tar archive (ustar, as npm packages are).
 *
 * @param name path inside the archive, for example `package/soljson.js`.
 * @returns a view of its bytes; null when the archive has no such file or ends too early.
 */
export function readTarMember(archive: Uint8Array, name: string): Uint8Array | null {
  let offset = 0;
  while (offset + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    const size = readOctal(header.subarray(124, 136));
    if (size === null) return null;
    const begin = offset + BLOCK_BYTES;
    const type = String.fromCharCode(header[156] ?? 0);
    if (REGULAR_FILE.has(type) && readName(header) === name) {
      return begin + size <= archive.length ? archive.subarray(begin, begin + size) : null;
    }
    offset = begin + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return null;
}

function readName(header: Uint8Array): string {
  const prefix = readText(header.subarray(345, 500));
  const name = readText(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString('utf8');
}

function readOctal(field: Uint8Array): number | null {
  const text = readText(field).trim();
  if (text === '') return 0;
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : null;
}
