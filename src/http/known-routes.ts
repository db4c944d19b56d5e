import type { FastifyInstance } from 'fastify';

/** Tells which methods a path has, so that a wrong method is told from an unknown path. */
export interface KnownRoutes {
  /** Methods of the routes whose pattern fits, sorted; empty when none does. */
  methodsOf(url: string): readonly string[];
}

/**
 * Collects every route registered after this call.
 *
 * Fastify's router looks up one method at a time and gives no way to ask for all of a path.
 */
export function collectKnownRoutes(app: FastifyInstance): KnownRoutes {
  const routes: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];
  const byUrl = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = byUrl.get(url) ?? new Set<string>();
    for (const name of [method].flat()) if (name !== 'OPTIONS') methods.add(name);
    if (!byUrl.has(url) && methods.size > 0) {
      byUrl.set(url, methods);
      routes.push({ pattern: toPattern(url), methods });
    }
  });
  return {
    methodsOf(url) {
      const path = url.split('?', 1)[0] ?? '';
      const found = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods]);
      return [...new Set(found)].sort();
    },
  };
}

function toPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:[A-Za-z]+/g, '[^/]+')
    .replace(/\*/g, '.*');
  return new RegExp(`^${source}/?$`, 'i');
}
