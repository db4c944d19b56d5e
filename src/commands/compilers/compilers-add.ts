import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { CompilerSourceError } from '../../verify/index.ts';
import { readChoice } from '../option-choice.ts';
import type { CompilersAction } from './compilers.ts';

/**
 * `ledgerlens compilers add FILE…`: puts files that the operator vouches for into the kept compilers.
 *
 * Exit code 1 when one was refused.
 */
export const addCompilers: CompilersAction = async ({ management }, paths, values) => {
  if (paths.length === 0) {
    throw new LedgerlensError(
      'usage',
      'Name at least one file: ledgerlens compilers add vyper.0.4.3+commit.bff19ea2.linux',
    );
  }
  const language = readChoice(values, 'language', ['solc', 'vyper', 'fe']);
  const { version, sha256 } = values;
  if (paths.length > 1 && (typeof version === 'string' || typeof sha256 === 'string')) {
    throw new LedgerlensError('usage', '--version and --sha256 apply to one file: add one file at a time');
  }
  if (typeof sha256 === 'string' && !/^[0-9a-fA-F]{64}$/.test(sha256)) {
    throw new LedgerlensError('usage', '--sha256 must be 64 hex digits');
  }
  let failed = 0;
  for (const path of paths) {
    try {
      const added = await management.add({
        path,
        language,
        version: typeof version === 'string' ? version.replace(/^v/, '') : null,
        sha256: typeof sha256 === 'string' ? sha256.toLowerCase() : null,
      });
      console.log(`${path}: version ${added.version}, SHA-256 ${added.sha256}, stored as ${added.path}`);
    } catch (error) {
      if (!(error instanceof CompilerSourceError)) throw error;
      console.error(`${path} was not added: ${error.message}`);
      failed++;
    }
  }
  return failed > 0 ? 1 : 0;
};
