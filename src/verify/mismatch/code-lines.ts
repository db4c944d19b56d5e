/** One line of both codes. */
export interface CodeLine {
  readonly offset: number;
  /** Two hexadecimal digits each; null past the end of the code. */
  readonly bytes: readonly (string | null)[];
}

/** The same part of two codes, line by line. */
interface CodeExcerpt {
  readonly recompiled: readonly CodeLine[];
  readonly onchain: readonly CodeLine[];
}

const BYTES_PER_LINE = 16;
const LINES_BEFORE = 2;
const LINES = 10;

/** Cuts out what stands around a place. */
export function excerptAround(recompiled: Uint8Array, onchain: Uint8Array, offset: number): CodeExcerpt {
  const first = Math.max(0, Math.floor(offset / BYTES_PER_LINE) - LINES_BEFORE);
  const starts = Array.from({ length: LINES }, (_, index) => (first + index) * BYTES_PER_LINE);
  const shown = starts.filter((start) => start < Math.max(recompiled.length, onchain.length));
  return {
    recompiled: shown.map((start) => lineAt(recompiled, start)),
    onchain: shown.map((start) => lineAt(onchain, start)),
  };
}

function lineAt(code: Uint8Array, offset: number): CodeLine {
  const bytes = Array.from({ length: BYTES_PER_LINE }, (_, index) => {
    const byte = code[offset + index];
    return byte === undefined ? null : byte.toString(16).padStart(2, '0');
  });
  return { offset, bytes };
}
