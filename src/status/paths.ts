import { pathsBelow } from '../http/area-paths.ts';

const MANAGEMENT = ['/v1'];

/** The status page beside its two APIs; `/i/…` and the feeds also answer at the root. */
export const STATUS_PATHS = pathsBelow(
  ['/api/v2', ...MANAGEMENT, '/status', '/i', '/history.rss', '/history.atom'],
  MANAGEMENT,
);
