import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';

/** A logger without the lines of the framework for each address, since whoever starts a server reports all of it. */
export function quietAtStart(log: Logger): FastifyBaseLogger {
  return (log.level === 'info' ? log.child({}, { level: 'warn' }) : log) as FastifyBaseLogger;
}
