/** What stands in place of a secret. */
const HIDDEN = '[secret]';
/** Shorter ones are words that texts have anyway. */
const MIN_LENGTH = 8;
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>,]+/gi;
const CREDENTIALS = /^[^:]+:\/\/([^:/?#@]*):(.+)@/;
/** A part of a path that is a key of somebody, as providers of nodes hand them out. */
const KEY = /^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;
const SECRET_HEADER = /auth|cookie|key|password|secret|token/i;

/**
 * The secrets in a configured value, such as a text or what JSON gives: passwords, keys in paths, values of queries,
 * and headers whose name says that they are secret.
 */
export function secretsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return (value.match(ADDRESS) ?? []).flatMap(secretsOfAddress);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && SECRET_HEADER.test(name)
      ? [member, member.slice(member.indexOf(' ') + 1)]
      : secretsIn(member),
  );
}

/** Replaces secrets in a text, also as JSON and addresses write them. Short ones stay. */
export function hideSecrets(secrets: Iterable<string>): (text: string) => string {
  const forms = [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)]);
  if (forms.length === 0) return (text) => text;
  // The longest first: one may be the beginning of another.
  const longest = [...new Set(forms)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(
    longest.map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  return (text) => text.replace(pattern, HIDDEN);
}

function secretsOfAddress(address: string): readonly string[] {
  const [, user = '', password] = CREDENTIALS.exec(address) ?? [];
  // People who choose a password like the name keep no secret, and its hiding would spoil other texts.
  const held = password === undefined || password === user ? [] : [password, ...decoded(user, password)];
  if (!/^(http|ws)s?:/i.test(address) || !URL.canParse(address)) return held;
  const { pathname, searchParams } = new URL(address);
  return [...held, ...pathname.split('/').filter((part) => KEY.test(part)), ...searchParams.values()];
}

/** As a server may repeat them, and as HTTP sends them. */
function decoded(user: string, password: string): readonly string[] {
  try {
    const plain = decodeURIComponent(password);
    return [plain, Buffer.from(`${decodeURIComponent(user)}:${plain}`).toString('base64')];
  } catch {
    // A broken %-sequence is text as it stands.
    return [];
  }
}
