import { type Logger, pino } from 'pino';

/** Form of log lines: text for people, one JSON object each, or text on a terminal alone. */
type LogFormat = 'auto' | 'json' | 'pretty';

/** A logger that writes to standard error, so that output can be piped; without colour when NO_COLOR is set. */
export function createLogger(
  level: string,
  format: LogFormat = 'auto',
  isTerminal = process.stderr.isTTY === true,
): Logger {
  const isPretty = format === 'pretty' || (format === 'auto' && isTerminal);
  if (!isPretty) return pino({ level }, pino.destination(2));
  return pino({
    level,
    transport: {
      target: 'pino-pretty',
      options: {
        destination: 2,
        translateTime: 'HH:MM:ss.l',
        ignore: 'pid,hostname',
        colorize: isTerminal && !process.env['NO_COLOR'],
      },
    },
  });
}
