import { pathsBelow } from '../http/area-paths.ts';

/** Clients of verification are asked for paths of many kinds; so whatever no other area owns is theirs. */
export const VERIFY_PATHS = pathsBelow('*');
