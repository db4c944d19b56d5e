import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { missingProgram } from './missing-program.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('api-linters/', import.meta.url));
const REDOCLY = `${FOLDER}node_modules/@redocly/cli/bin/cli.js`;
const SPECTRAL = `${FOLDER}node_modules/@stoplight/spectral-cli/dist/index.js`;
const missing = missingProgram('redocly and spectral', existsSync(REDOCLY) && existsSync(SPECTRAL));

/** The recommended rules; exceptions stand with their reasons in the folder. */
describe.skipIf(isLeftOut(missing))('linters', () => {
  const lint = async (program: string, ...options: string[]) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const ended = await run(process.execPath, [program, 'lint', ...options], { cwd: FOLDER, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return ended.stdout.trim() || ended.stderr.trim();
  };

  test.each(['all', 'verify', 'status', 'mirror'])('find nothing in %s.json', async (name) => {
    const file = `../../../openapi/${name}.json`;
    const told = await lint(REDOCLY, '--config', 'redocly.yaml', '--format', 'json', file);
    expect(
      (JSON.parse(told) as { problems: { ignored?: boolean }[] }).problems.filter(
        ({ ignored }) => ignored !== true,
      ),
    ).toEqual([]);
    expect(
      JSON.parse(
        (await lint(SPECTRAL, '-F', 'hint', '-r', 'spectral.yaml', '-f', 'json', '-q', file)) || '[]',
      ),
    ).toEqual([]);
  });
});
