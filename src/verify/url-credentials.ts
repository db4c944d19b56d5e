/** An address that may be fetched, and the header that stands for the credentials that it held. */
export interface PlainAddress {
  readonly url: URL;
  /** Null when it held none. */
  readonly authorization: string | null;
}

/**
 * Takes the credentials out of an address: `fetch` refuses them there, and repeats them in its message.
 *
 * @throws URIError when they have a broken %-sequence.
 */
export function splitCredentials(address: URL): PlainAddress {
  const { username, password } = address;
  const url = new URL(address);
  if (username === '' && password === '') return { url, authorization: null };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
