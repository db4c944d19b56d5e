import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerFileName, thisPlatform } from '../../../src/verify/compile/compiler-file-name.ts';
import { CHECKSUM_FILE } from '../../../src/verify/compile/supply/directory-compilers.ts';

/** What a compiler answered once: to standard JSON on its input, or to a project in a folder. */
export type Recording = {
  readonly language: 'solc' | 'vyper' | 'fe';
  /** Full version. */
  readonly version: string;
} & (
  | {
      readonly stdin: unknown;
      readonly stdout: unknown;
      readonly stderr?: string;
      readonly exitCode?: number;
    }
  | {
      /** Every file below the project folder. */
      readonly project: Readonly<Record<string, string>>;
      /** Files that are written into its folder `out`. */
      readonly files: Readonly<Record<string, string>>;
      readonly stderr?: string;
      readonly exitCode?: number;
    }
);

/** Replays its recordings; ends with code 70 on any other input. Runs as module and as script. */
const REPLAY = `
const canonical = (value) =>
  Array.isArray(value) ? '[' + value.map(canonical).join() + ']'
  : value !== null && typeof value === 'object'
    ? '{' + Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key])).join() + '}'
    : JSON.stringify(value);
Promise.all([import('node:fs'), import('node:path')]).then(([fs, path]) => {
  const [command, folder] = process.argv.slice(2);
  if (command === '--version') return process.stdout.write(RECORDINGS[0].version + '\\n');
  const files = (root) => Object.fromEntries(
    fs.readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .map((file) => [path.relative(root, file), fs.readFileSync(file, 'utf8')]));
  const isBuild = command === 'build' && folder !== undefined;
  const given = isBuild ? files(folder) : JSON.parse(fs.readFileSync(0, 'utf8'));
  const wanted = canonical(given);
  const found = RECORDINGS.find((each) => canonical(isBuild ? each.project : each.stdin) === wanted);
  if (found === undefined || (!isBuild && process.argv.slice(2).join() !== '--standard-json')) {
    process.stderr.write('No recording fits ' + process.argv.slice(2).join(' ') + ' ' + wanted);
    process.exitCode = 70;
    return;
  }
  if (isBuild) {
    fs.mkdirSync(path.join(folder, 'out'));
    for (const [name, text] of Object.entries(found.files)) fs.writeFileSync(path.join(folder, 'out', name), text);
  } else process.stdout.write(JSON.stringify(found.stdout));
  process.stderr.write(found.stderr ?? '');
  process.exitCode = found.exitCode ?? 0;
});
`;

/** Puts one executable per compiler into a folder as an operator would, with a checksum list of all its files. */
export function putStandInCompilers(folder: string, recordings: readonly Recording[]): void {
  const byFile = new Map<string, Recording[]>();
  for (const recording of recordings) {
    const { language, version } = recording;
    const file = compilerFileName({ language, version, kind: 'native' }, thisPlatform);
    byFile.set(file, [...(byFile.get(file) ?? []), recording]);
  }
  const scripts = [...byFile].map(([file, own]): [string, string] => [
    file,
    `#!${process.execPath}\nconst RECORDINGS = ${JSON.stringify(own)};${REPLAY}`,
  ]);
  putExecutables(folder, Object.fromEntries(scripts));
}

/** Puts scripts under file names of compilers into a folder, with their checksum list. */
export function putExecutables(folder: string, scripts: Readonly<Record<string, string>>): void {
  const sums = Object.entries(scripts).map(([file, script]) => {
    writeFileSync(join(folder, file), script);
    chmodSync(join(folder, file), 0o755);
    return `${createHash('sha256').update(script).digest('hex')}  ${file}\n`;
  });
  writeFileSync(join(folder, CHECKSUM_FILE), sums.join(''));
}
