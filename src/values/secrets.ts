/** What stands in place of a secret. */
const HIDDEN = '[secret]';
/** Shorter ones are words that texts have anyway. */
const MIN_LENGTH = 8;
/** Parts of a path and values of a query are keys from this length on; providers of nodes hand out longer ones. */
const KEY_LENGTH = 16;
const ADDRESS = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>,]+/gi;
const CREDENTIALS = /^[^:]+:\/\/([^:/?#@]*)(?::([^/?#]*))?@/;
const SECRET_NAME = /auth|cookie|key|password|secret|token/i;
const BASIC = /^Basic\s+/i;

/**
 * The secrets in a configured value, such as a text or what JSON gives: credentials and keys in addresses, and members
 * whose name says that they are secret, headers above all.
 */
export function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return (URL.canParse(value) ? [value] : (value.match(ADDRESS) ?? [])).flatMap(secretsOfAddress);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && SECRET_NAME.test(name) ? secretsOfHeader(member) : secretsIn(member),
  );
}

/** Replaces secrets in a text, also as JSON, JSON in a text of JSON, and addresses write them. Short ones stay. */
export function hideSecrets(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .flatMap((each) => [each, escaped(each), escaped(escaped(each)), encodeURIComponent(each)]);
  if (forms.length === 0) return (text) => text;
  // The longest first: one may be the beginning of another.
  const longest = [...new Set(forms)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longest.map(patternOf).join('|'), 'g');
  return (text) => text.replace(pattern, HIDDEN);
}

/** Digits are left where they are, or belong to, a number of JSON: a line has its time in milliseconds. */
function patternOf(form: string): string {
  if (/^\d+$/.test(form)) return `(?<!\\d|":|,|\\[)${form}(?!\\d)`;
  return form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function secretsOfHeader(header: string): readonly string[] {
  if (BASIC.test(header)) {
    const encoded = header.replace(BASIC, '');
    const plain = Buffer.from(encoded, 'base64').toString();
    return [encoded, plain, plain.slice(plain.indexOf(':') + 1)];
  }
  return [header, header.slice(header.indexOf(' ') + 1)];
}

function secretsOfAddress(address: string): readonly string[] {
  const isHttp = /^(http|ws)s?:/i.test(address);
  const [, user = '', password = ''] = CREDENTIALS.exec(address) ?? [];
  // Keys stand before the @ of the web alone; a database has a name there, and one chosen as its password is no secret.
  const held = password !== '' && password !== user ? [password] : isHttp ? [user] : [];
  const credentials = held.flatMap((each) => [
    ...[each, decoded(each)],
    Buffer.from(`${decoded(user)}:${decoded(password)}`).toString('base64'),
  ]);
  if (!URL.canParse(address)) return credentials;
  const { pathname, searchParams } = new URL(address);
  const values = [...searchParams].flatMap(([name, value]) =>
    SECRET_NAME.test(name) || value.length >= KEY_LENGTH ? [value] : [],
  );
  const parts = isHttp ? pathname.split('/').filter(({ length }) => length >= KEY_LENGTH) : [];
  return [...credentials, ...values, ...parts.flatMap((part) => [part, decoded(part)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken %-sequence is text as it stands.
    return text;
  }
}
