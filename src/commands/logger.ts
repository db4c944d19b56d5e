import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config.ts';
import { hideSecrets } from '../values/secrets.ts';

/** For commands that print what they have to say. */
export const SILENT: Logger = pino({ level: 'silent' });

/**
 * A logger that writes to standard error, so that output can be piped; without colour when NO_COLOR is set. Other
 * servers repeat the keys that they are called with in their errors: no line has one.
 */
export function createLogger(
  { logFormat: format, logLevel: level, secrets }: Pick<Config, 'logFormat' | 'logLevel' | 'secrets'>,
  isTerminal = process.stderr.isTTY === true,
): Logger {
  const options: LoggerOptions = { level, hooks: { streamWrite: hideSecrets(secrets) } };
  const isPretty = format === 'pretty' || (format === 'auto' && isTerminal);
  if (!isPretty) return pino(options, pino.destination(2));
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: {
        destination: 2,
        translateTime: 'HH:MM:ss.l',
        ignore: 'pid,hostname',
        singleLine: true,
        colorize: isTerminal && !process.env['NO_COLOR'],
      },
    },
  });
}
