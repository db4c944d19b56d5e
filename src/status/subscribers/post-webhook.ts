import { request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress, literalAddress } from '../../http/private-address.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** One POST. */
export interface WebhookRequest {
  /** Absolute http or https address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Sends one request and follows no redirect.
 *
 * @param signal ends it.
 * @returns the status of the answer.
 * @throws Error when there is no answer; PrivateAddressError when it was not sent.
 */
export type PostWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<number>;

/** Finds the addresses of a name. @throws Error when there are none. */
export type ResolveName = (
  name: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** A request was not sent because of where it leads. */
export class PrivateAddressError extends LedgerlensError {
  constructor(address: string) {
    super(
      'status_webhook_address',
      `${address} is a loopback, private or link-local address; STATUS_WEBHOOK_PRIVATE=on allows those`,
      { details: { address } },
    );
  }
}

interface PostWebhookParts {
  readonly resolve: ResolveName;
  /** Whether loopback, private and link-local addresses are connected to. */
  readonly allowsPrivate: boolean;
}

/** What of an answer is read, so that its sender is not cut off in the middle of a small one. */
const ANSWER_BYTES = 16_384;

/**
 * Posts over the network of the operating system, each request over a connection of its own.
 *
 * The addresses that are judged are those that are connected to: a name that resolves differently a moment later
 * leads nowhere else.
 */
export function createPostWebhook({ resolve, allowsPrivate }: PostWebhookParts): PostWebhook {
  const isRefused = (address: string) => !allowsPrivate && isPrivateAddress(address);

  const lookup: LookupFunction = (name, options, done) => {
    resolve(name).then(
      (found) => {
        const usable = found.filter(({ address }) => !isRefused(address));
        const [first] = usable;
        if (first === undefined) done(new PrivateAddressError(found[0]?.address ?? name), '');
        else if (options.all === true) done(null, [...usable]);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };

  return async ({ url: text, headers, body }, signal) => {
    const url = new URL(text);
    // No look-up happens for an address.
    const literal = literalAddress(url);
    if (literal !== null && isRefused(literal)) throw new PrivateAddressError(literal);
    const options = {
      method: 'POST',
      agent: false,
      lookup,
      signal,
      headers: { ...headers, 'Content-Length': body.byteLength },
    } as const;
    return send(url, options, body);
  };
}

function send(url: URL, options: RequestOptions, body: Uint8Array): Promise<number> {
  const start = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((answered, failed) => {
    const request = start(url, options, (response) => {
      // The status is known: however the rest of the answer ends, this one counts.
      const end = () => answered(response.statusCode ?? 0);
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > ANSWER_BYTES) response.destroy();
      });
      response.on('end', end);
      response.on('error', end);
      response.on('close', end);
      request.off('error', failed).off('close', closed).on('error', end).on('close', end);
    });
    const closed = () => failed(new Error('the connection was closed without a response'));
    request.on('error', failed).on('close', closed);
    request.end(body);
  });
}
