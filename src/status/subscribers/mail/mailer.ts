import { LedgerlensError } from '../../../values/ledgerlens-error.ts';

/** One mail to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same at each attempt, so that a mail that came twice can be told. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Hands mails to a server. */
export type Mailer = ReturnType<typeof createSmtpMailer>;

interface SmtpSettings {
  /** `smtp://` or `smtps://`, with user and password when they are needed. */
  readonly url: string;
  /** Sender: `name@example.org` or `Name <name@example.org>`. */
  readonly from: string;
}

/** Longer than any step of a healthy server, shorter than an attempt. */
const STEP_MS = 8_000;

/**
 * Sends over SMTP through nodemailer, each mail over a connection of its own.
 *
 * The package is optional: it is loaded when mail is configured, and not otherwise.
 */
export function createSmtpMailer({ url, from }: SmtpSettings) {
  const load = async () => {
    try {
      return await import('nodemailer');
    } catch (cause) {
      throw new LedgerlensError(
        'invalid_configuration',
        'STATUS_SMTP_URL: the package nodemailer is not installed; npm install nodemailer adds it',
        { cause },
      );
    }
  };
  let loading: ReturnType<typeof load> | null = null;
  return {
    /** @throws LedgerlensError when mails can never be sent, since the package is missing. */
    async prepare(): Promise<void> {
      loading ??= load();
      await loading;
    },
    /** @throws Error when the server does not take it; `signal` ends the wait. */
    async send(mail: Mail, signal: AbortSignal): Promise<void> {
      loading ??= load();
      const { createTransport } = await loading;
      const timeouts = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, socketTimeout: STEP_MS };
      const transport = createTransport({
        url,
        ...timeouts,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const ended = new Promise<never>((_, fail) => {
        const end = () => fail(new Error('the request to the mail server was cancelled'));
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      });
      try {
        await Promise.race([transport.sendMail({ ...mail, from, headers: { ...mail.headers } }), ended]);
      } finally {
        transport.close();
      }
    },
  };
}
