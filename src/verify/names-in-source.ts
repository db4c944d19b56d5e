const DEFINITION = /(?:^|[\s;{}])(abstract\s+)?(?:contract|library)\s+([A-Za-z_$][\w$]*)/g;
const YUL_OBJECT = /\bobject\s+"([^"]+)"/;

/** Names of the contracts that a source defines and that may be deployed, as far as its text tells. */
export function namesInSource(path: string, text: string, language: unknown): readonly string[] {
  if (language === 'Vyper') {
    const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    return file.endsWith('.vy') && file !== '.vy' ? [file.slice(0, -'.vy'.length)] : [];
  }
  if (language === 'Yul') {
    const name = YUL_OBJECT.exec(text)?.[1];
    return name === undefined ? [] : [name];
  }
  const found = [...withoutComments(text).matchAll(DEFINITION)];
  return [...new Set(found.filter(([, abstract]) => abstract === undefined).map(([, , name]) => name ?? ''))];
}

/**
 * Comments may name any contract; texts in quotation marks are kept, so a mark of a comment in them does not count.
 *
 * A text that nobody closes goes to the end of its line. Each character is read once: an expression for all of it
 * would need a stack as long as the text.
 */
export function withoutComments(text: string): string {
  const marks = /["'/]/g;
  let kept = '';
  let from = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { index } = mark;
    if (mark[0] !== '/') {
      marks.lastIndex = endOfText(text, index, mark[0]);
      continue;
    }
    const end = endOfComment(text, index);
    if (end === null) continue;
    kept += `${text.slice(from, index)} `;
    from = end;
    marks.lastIndex = end;
  }
  return kept + text.slice(from);
}

/** @returns the place after the comment that begins here; null when none does. */
function endOfComment(text: string, start: number): number | null {
  const isLine = text.startsWith('//', start);
  if (!isLine && !text.startsWith('/*', start)) return null;
  const end = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
  if (end === -1) return text.length;
  return isLine ? end : end + 2;
}

/** @returns the place after the text that begins with this quotation mark. */
function endOfText(text: string, start: number, quote: string): number {
  const stops = quote === '"' ? /["\\\n]/g : /['\\\n]/g;
  stops.lastIndex = start + 1;
  for (let stop = stops.exec(text); stop !== null; stop = stops.exec(text)) {
    if (stop[0] === quote) return stop.index + 1;
    if (stop[0] === '\n') return stop.index;
    stops.lastIndex = stop.index + 2;
  }
  return text.length;
}
