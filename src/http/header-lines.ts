import type { FastifyReply } from 'fastify';

/** Names in lower case, each followed by its value; an object for each answer takes longer than finding it. */
export type HeaderLines = readonly string[];

/** Adds them to the answer of a route. */
export function addHeaders(reply: FastifyReply, lines: HeaderLines): void {
  for (let index = 0; index + 1 < lines.length; index += 2) {
    reply.header(lines[index] ?? '', lines[index + 1]);
  }
}
