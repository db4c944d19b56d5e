import { pathsBelow } from '../http/area-paths.ts';

export const MIRROR_PATHS = pathsBelow(['/api/v1']);
