import { largeRunsOf } from '../../exact-runs.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';

/** Longer addresses are cut by some browsers and proxies of mail. Characters of source. */
const LONGEST_SOURCE = 24_000;

/**
 * Where Remix opens a file with the settings of its compilation; null when it is too long for an address, or is in no
 * language of Remix.
 *
 * What stands behind `#` stays in the browser.
 *
 * @see https://remix-ide.readthedocs.io/en/latest/locations.html
 */
export function remixLink(
  source: string,
  {
    language,
    compilerVersion,
    settings,
  }: {
    readonly language: string;
    readonly compilerVersion: string;
    readonly settings: JsonObject;
  },
): string | null {
  const isShort = source.length <= LONGEST_SOURCE;
  if (!isShort || (language !== 'Solidity' && language !== 'Yul')) return null;
  const optimizer = isJsonObject(settings['optimizer']) ? settings['optimizer'] : {};
  const { evmVersion } = settings;
  const runs = Number.isInteger(optimizer['runs']) ? String(optimizer['runs']) : largeRunsOf(settings);
  const parameters = [
    `language=${language}`,
    `version=soljson-v${encodeURIComponent(compilerVersion).replaceAll('%2B', '+')}.js`,
    `optimize=${optimizer['enabled'] === true}`,
    ...(runs === null ? [] : [`runs=${runs}`]),
    ...(typeof evmVersion === 'string' ? [`evmVersion=${encodeURIComponent(evmVersion)}`] : []),
    `code=${Buffer.from(source).toString('base64').replaceAll('=', '%3D')}`,
  ];
  return `https://remix.ethereum.org/#${parameters.join('&')}`;
}
