import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { type StandardJson, settingsOf } from '../../standard-json.ts';

/**
 * Leaves out the settings of solc that are about output or tools only, since the server chooses its output itself.
 *
 * With some of them solc gives no code at all, or does not survive.
 *
 * @returns the input with what shapes code and metadata, and the names of what was left out, as `settings.stopAfter`.
 * @see contracts/verification-engine.md section 2.1
 */
export function withoutOutputSettings(input: StandardJson) {
  const { language } = input;
  if (language !== 'Solidity' && language !== 'Yul') return { input, leftOut: [] };
  const { modelCheckerSettings, ...members } = input;
  const { modelChecker, stopAfter, ...settings } = settingsOf(input);
  const debug = withoutEthdebug(settings['debug']);
  const leftOut = Object.entries({
    // Its place in 0.7.4 and 0.7.5.
    modelCheckerSettings,
    'settings.modelChecker': modelChecker,
    'settings.stopAfter': stopAfter,
    'ethdebug of settings.debug.debugInfo': debug,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (leftOut.length === 0) return { input, leftOut };
  const kept = { ...settings, ...(debug === undefined ? {} : { debug }) };
  return { input: { ...members, language, sources: input.sources, settings: kept }, leftOut };
}

/** Undefined when there is nothing to leave out. */
function withoutEthdebug(debug: unknown): JsonObject | undefined {
  if (!isJsonObject(debug)) return undefined;
  const { debugInfo, ...others } = debug;
  if (!Array.isArray(debugInfo) || !debugInfo.includes('ethdebug')) return undefined;
  const kept = debugInfo.filter((entry) => entry !== 'ethdebug');
  return kept.length === 0 ? others : { ...others, debugInfo: kept };
}
