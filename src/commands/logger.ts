import { type Logger, pino } from 'pino';

/** Pretty lines on a terminal, JSON lines otherwise; both to standard error, so that output can be piped. */
export function createLogger(level: string, isTerminal = process.stderr.isTTY === true): Logger {
  if (!isTerminal) return pino({ level }, pino.destination(2));
  return pino({
    level,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname' },
    },
  });
}
