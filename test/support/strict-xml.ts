/** An element of a document read by {@link parseXml}. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text directly in it, references resolved. */
  readonly text: string;
}

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const ATTRIBUTE = new RegExp(`\\s+(${NAME})="([^"<]*)"`, 'y');
const START = new RegExp(`<(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`, 'y');
const END = new RegExp(`</(${NAME})\\s*>`, 'y');
const TEXT = /[^<]+/y;
const REFERENCES = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** XML 1.0 section 2.2. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Reads an XML document strictly: whatever a conforming reader may refuse throws, and so does what the product never
 * writes (CDATA, comments, processing instructions, document types).
 *
 * @see XML 1.0 sections 2 and 3
 */
export function parseXml(source: string): XmlElement {
  const declaration = /^<\?xml version="1\.0" encoding="utf-8"\?>\s*/i.exec(source)?.[0].length ?? 0;
  const roots = parseContent(source.slice(declaration).trimEnd());
  if (roots.children.length !== 1 || roots.text.trim() !== '') throw new Error('There must be one root');
  return roots.children[0]!;
}

/** Reads what may stand in an element, as an element without a name. */
export function parseContent(source: string): XmlElement {
  if (ILLEGAL.test(source)) throw new Error(`An illegal character at ${source.search(ILLEGAL)}`);
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at += found[0].length;
    return found;
  };
  const top = { name: '', attributes: {}, children: [] as XmlElement[], text: '' };
  const open = [top];
  while (at < source.length) {
    const parent = open.at(-1)!;
    const start = match(START);
    if (start !== null) {
      const [, name = '', attributes = '', slash] = start;
      const element = { name, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (slash === '') open.push(element);
      continue;
    }
    const end = match(END);
    if (end !== null) {
      if (end[1] !== parent.name || open.length === 1) throw new Error(`</${end[1]}> ends <${parent.name}>`);
      open.pop();
      continue;
    }
    const text = match(TEXT)?.[0];
    if (text === undefined) throw new Error(`No mark-up at ${at}: ${source.slice(at, at + 40)}`);
    if (text.includes(']]>')) throw new Error('A text holds ]]>');
    parent.text += resolve(text);
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.name}> does not end`);
  return top;
}

function readAttributes(source: string): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(new RegExp(ATTRIBUTE, 'g'))) {
    if (name in attributes) throw new Error(`${name} is given twice`);
    attributes[name] = resolve(value);
  }
  return attributes;
}

function resolve(text: string): string {
  if (text.replace(REFERENCES, '').includes('&')) throw new Error(`A bare & in: ${text.slice(0, 40)}`);
  return text.replace(REFERENCES, (_, name?: string, decimal?: string, hex?: string) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
      : (NAMED[name] ?? ''),
  );
}
