const BLOCK_BYTES = 512;

/** Writes files into a tar archive of the form that npm packages have. */
export function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(BLOCK_BYTES);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    // The sum is that of the header with spaces in its place.
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte);
    header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148);
    const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
    return [header, bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
}
