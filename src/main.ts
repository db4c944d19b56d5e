#!/usr/bin/env node
import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { COMMANDS, type Command, renderHelp } from './commands/command-table.ts';
import { openFilesLimit } from './open-files-limit.ts';
import { withinSmallNursery } from './threads/small-nursery.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { HOW_TO_RAISE, hasFewFiles, isOutOfFiles, LEAST_OPEN_FILES } from './values/open-files.ts';
import { VERSION } from './version.ts';

const EXIT_USAGE = 2;
const EXIT_FAILURE = 1;

/** Runs one command and returns the exit code of the process. */
async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version') {
    console.log(VERSION);
    return 0;
  }
  if (name === undefined || name === 'help' || name === '--help') {
    console.log(renderHelp());
    return name === undefined ? EXIT_USAGE : 0;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) {
    console.error(`Unknown command "${name}".\n\n${renderHelp()}`);
    return EXIT_USAGE;
  }
  return run(command, rest);
}

async function run(command: Command, argv: readonly string[]): Promise<number> {
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...argv],
      options: { ...command.options, help: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${renderHelp(command)}`);
    return EXIT_USAGE;
  }
  if (parsed.values['help'] === true) {
    console.log(renderHelp(command));
    return 0;
  }
  try {
    prepareForFewFiles();
    const { execute } = await withinSmallNursery(command.load);
    return await execute({ positionals: parsed.positionals, values: parsed.values, env: process.env });
  } catch (error) {
    if (isOutOfFiles(error)) {
      console.error(`Too many open files. The limit is ${openFilesLimit() ?? 'unknown'}. ${HOW_TO_RAISE}`);
      return EXIT_FAILURE;
    }
    if (!(error instanceof LedgerlensError)) throw error;
    console.error(error.message);
    return error.code === 'usage' ? EXIT_USAGE : EXIT_FAILURE;
  }
}

/** @throws LedgerlensError `too_few_files` when not even the modules of a command could be read. */
function prepareForFewFiles(): void {
  const limit = openFilesLimit();
  if (limit === null || !hasFewFiles(limit)) return;
  if (limit < LEAST_OPEN_FILES) {
    throw new LedgerlensError(
      'too_few_files',
      `The limit of open files is ${limit}; Ledgerlens needs at least ${LEAST_OPEN_FILES}. ${HOW_TO_RAISE}`,
    );
  }
  // From source, a loader of its own is at work.
  if (import.meta.url.endsWith('.js')) register('./threads/bounded-loading.js', import.meta.url);
}

process.exitCode = await main(process.argv.slice(2));
