import type { FastifyInstance } from 'fastify';
import { UNSERVED_SUBSCRIBER_CALLS } from '../../src/status/manage/subscriber-calls.ts';

/** Whether the server has a route for a method and a path such as `/v2/contracts/{chainId}`. */
export type HasRoute = (method: string, path: string) => boolean;

/** The paths of an OpenAPI document, with their methods. */
type DocumentedPaths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Four characters for each level of the tree that Fastify prints. */
const LINE = /^(?<indent>(?:[│ ] {3})*)[├└]── (?<part>\S*)(?: \((?<methods>[A-Z, ]+)\))?$/;

/**
 * Reads the routes from Fastify's own print, which has the hidden ones too, and from the OpenAPI document, which has
 * the paths whose rest is free.
 *
 * Routes that exist only to answer 404 do not count: otherwise their last segment would be taken for an id.
 */
export function servedRoutes(app: FastifyInstance, documented: DocumentedPaths): HasRoute {
  const routes = routePatterns(app, documented);
  return (method, path) => routes.has(`${method} ${patternOf(path)}`);
}

/** Every route as a method and a pattern, such as `GET /v2/contracts/<>`. */
export function routePatterns(app: FastifyInstance, documented: DocumentedPaths): ReadonlySet<string> {
  const routes = new Set<string>();
  const open: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const { indent = '', part = '', methods } = LINE.exec(line)?.groups ?? {};
    if (methods === undefined) continue;
    const level = indent.length / 4;
    const path = (level === 0 ? '' : (open[level - 1] ?? '')) + part;
    open.splice(level, Number.POSITIVE_INFINITY, path);
    for (const method of methods.split(', ')) routes.add(`${method} ${patternOf(path)}`);
  }
  for (const [path, operations] of Object.entries(documented)) {
    for (const method of Object.keys(operations)) {
      routes.add(`${method.toUpperCase()} ${patternOf(path)}`);
    }
  }
  for (const [method, path] of UNSERVED_SUBSCRIBER_CALLS) {
    routes.delete(`${method} ${patternOf(`/v1/pages/:pageId${path}`)}`);
  }
  return routes;
}

/** The names of parameters are each side's own. */
export function patternOf(path: string): string {
  return path
    .replace(/\{\*\}|\*/g, '<rest>')
    .replace(/\{\w+\}|:\w+(?:\|:\w+)*/g, '<>')
    .replace(/^\/+/, '/');
}
