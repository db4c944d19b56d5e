import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packInto } from '../support/packed-package.ts';

/** The package as somebody has it who installed it into an empty folder. */
export interface InstalledPackage {
  readonly folder: string;
  /** What npm printed. */
  readonly log: string;
  /** Runs a program to its end and gives what it wrote. */
  run(program: string, args: readonly string[]): string;
  /** Starts a program in a process group of its own. */
  start(program: string, args: readonly string[], variables: Readonly<Record<string, string>>): ChildProcess;
}

/** @param nodePackage a version of npm's package `node`; null: the Node that runs the tests. */
export function installPackage(nodePackage: string | null): InstalledPackage {
  const work = mkdtempSync(join(tmpdir(), 'ledgerlens-package-'));
  const folder = join(work, 'app');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const env = nodePackage === null ? { ...process.env } : withNode(nodePackage, work);
  const run = (program: string, args: readonly string[]) =>
    execFileSync('sh', ['-c', 'exec "$0" "$@" 2>&1', program, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  const tarball = packInto(work);
  const log = run('npm', ['install', '--omit=dev', '--prefer-offline', '--no-audit', join(work, tarball)]);
  return {
    folder,
    log,
    run,
    start: (program, args, variables) =>
      spawn(program, args, {
        cwd: folder,
        env: { ...env, ...variables },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}

/** This environment with another Node before all others, and without a compiler. */
function withNode(version: string, work: string): NodeJS.ProcessEnv {
  const prefix = join(work, 'node');
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', prefix, `node@${version}`]);
  const path = [join(prefix, 'node_modules/node/bin'), process.env['PATH']].join(delimiter);
  return { ...process.env, PATH: path, CC: 'false', CXX: 'false', npm_config_nodedir: join(work, 'nowhere') };
}
