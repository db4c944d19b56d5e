import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
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

const KUBERNETES = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));
/** The module of an API group's types; a group that is not here fails the check. */
const TYPES: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
};
const noTypes = missingProgram('kubernetes-models', existsSync(`${FOLDER}node_modules/kubernetes-models`));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Names that are unknown, missing, or have a value of another type: as a literal, each manifest has to be of its type. */
async function faultsOf(manifests: readonly Manifest[]): Promise<string> {
  const lines = manifests.map((manifest, index) => {
    const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : 'v1';
    const from = (TYPES[group.split('/')[0] ?? ''] ?? 'kubernetes-models/') + group;
    return `import type { I${manifest.kind} as T${index} } from '${from}';
export const m${index}: T${index} = ${JSON.stringify(manifest)};`;
  });
  const file = `${FOLDER}manifests.ts`;
  writeFileSync(file, lines.join('\n'));
  const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  try {
    const { stdout } = await run(compiler, [...options, file], { cwd: FOLDER }).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  } finally {
    rmSync(file);
  }
}

describe.skipIf(isLeftOut(noTypes))('the types of Kubernetes', () => {
  const manifests = readdirSync(KUBERNETES)
    .map((name) => parse(readFileSync(KUBERNETES + name, 'utf8')) as Manifest)
    .filter(({ kind }) => kind !== undefined && kind !== 'Kustomization');

  test('fit every manifest', async () => {
    expect(manifests.length).toBeGreaterThan(8);
    expect(await faultsOf(manifests)).toBe('');
  });

  test('refuse a name that is not known, and a value of another type', async () => {
    const wrong = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec: { podSelectors: {} } };
    expect(await faultsOf([wrong])).toMatch(/podSelectors.* does not exist/);
    const port = { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 'http' }] } };
    expect(await faultsOf([port])).toContain("'string' is not assignable to type 'number'");
  });
});
