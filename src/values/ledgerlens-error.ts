/**
 * Base of every error that the product raises on purpose.
 *
 * `code` is stable and may be matched; `details` holds plain data for logs and messages.
 * Domain code throws these without any knowledge of HTTP: each area maps codes to its own error body.
 */
export class LedgerlensError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    options: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details ?? {};
  }
}
