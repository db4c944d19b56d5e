import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AreasByPath } from '../area-paths.ts';
import { addHeaders, type HeaderLines } from '../header-lines.ts';
import type { Drain } from '../health.ts';
import { ALLOW_ANY_ORIGIN } from './cross-origin.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** No browser guesses a type: JSON that holds somebody's text is never taken for a page. */
const NO_GUESSING = ['x-content-type-options', 'nosniff'] as const;

/** What the headers of an answer depend on beside its request. */
export interface Duties {
  readonly drain: Drain;
  readonly areas: Pick<AreasByPath<unknown>, 'isManaged'>;
}

/**
 * The headers that every answer has, from the router or past it: the one list of them.
 *
 * All duties of both ways, these included, are listed at `buildEdge` in `app.ts`.
 *
 * @param target of the request, in its canonical form.
 */
export function commonHeaders(target: string, id: string, { areas, drain }: Duties): HeaderLines {
  const access = areas.isManaged(target) ? [] : ALLOW_ANY_ORIGIN;
  // A client with a kept connection comes back on a new one, which the balancer sends elsewhere.
  const last = drain.isDraining ? ['connection', 'close'] : [];
  return [REQUEST_ID_HEADER, id].concat(NO_GUESSING, access, last);
}

/** Adds them to what the router cannot even route. */
export function addDuties(request: FastifyRequest, reply: FastifyReply, duties: Duties): void {
  addHeaders(reply, commonHeaders(request.url, request.id, duties));
}

/** Adds them to every answer of the router. */
export function addCommonHeaders(app: FastifyInstance, duties: Duties): void {
  app.addHook('onRequest', (request, reply, done) => {
    addDuties(request, reply, duties);
    done();
  });
}
