import { NumberText } from '../../http/answers/json-pieces.ts';
import { largeRunsOf } from '../exact-runs.ts';
import type { JsonObject } from '../json-object.ts';

/** Settings as answers print them: all `runs` of the optimizer are a number. */
export function viewSettings(settings: JsonObject): JsonObject {
  const runs = largeRunsOf(settings);
  if (runs === null) return settings;
  return { ...settings, optimizer: { ...(settings['optimizer'] as object), runs: new NumberText(runs) } };
}
