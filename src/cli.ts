import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { CommanderError, type Command as Program } from 'commander';
import type { Command, Invocation, MoreHelp } from './commands/command.ts';
import { COMMANDS } from './commands/command-table.ts';
import { completeWords } from './commands/complete-words.ts';
import { createProgram, withDefaultAction } from './commands/program.ts';
import { openFilesLimit } from './open-files-limit.ts';
import { type RoomyThreadSetup, runInRoomyThread } from './threads/large-heap-thread.ts';
import { withinSmallNursery } from './threads/small-nursery.ts';
import { keepTickShape } from './threads/tick-shape.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { HOW_TO_RAISE, isOutOfFiles, MIN_OPEN_FILES } from './values/open-files.ts';
import { VERSION } from './version.ts';

const EXIT_USAGE = 2;
const EXIT_FAILURE = 1;
const HELP_FLAGS = ['-h', '--help'];
/** Asked by the scripts of "ledgerlens completion". */
const COMPLETE = '__complete';

/** Runs one command and returns the exit code of the process. */
async function main(given: readonly string[]): Promise<number> {
  if (given[0] === COMPLETE) {
    for (const word of completeWords(given.slice(1), COMMANDS)) console.log(word);
    return 0;
  }
  // "help status create" is "status create --help".
  const isHelp = given[0] === 'help' && given.length > 1;
  const asked = isHelp ? [...given.slice(1), '--help'] : given;
  const { excess, isKnown, texts } = await helpFor(asked, isHelp);
  // The parser would answer with the help of what it knows; without the option it names the unknown word.
  const words = isKnown ? asked : asked.filter((word) => !HELP_FLAGS.includes(word));
  let exitCode = 0;
  const program = createProgram({
    commands: COMMANDS,
    version: VERSION,
    env: process.env,
    moreHelp: texts,
    run: async (command, invocation) => {
      exitCode = await run(command, invocation, words);
    },
  });
  if (words.length === 0) {
    program.outputHelp();
    return EXIT_USAGE;
  }
  try {
    if (excess !== null) refuseExcess(program, excess);
    await program.parseAsync([...withDefaultAction(words, COMMANDS)], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}

/** What a request for help names. */
interface Asked {
  /** Texts that are read only for the help of their command. */
  readonly texts: ReadonlyMap<string, MoreHelp>;
  /** Whether there is that command. */
  readonly isKnown: boolean;
  /** A word after a command that takes none. */
  readonly excess: { readonly word: string; readonly path: readonly string[] } | null;
}

/** @param isHelp whether the words followed "help", which takes commands alone and no arguments of theirs. */
async function helpFor(words: readonly string[], isHelp: boolean): Promise<Asked> {
  const texts = new Map<string, MoreHelp>();
  const known: Asked = { texts, isKnown: true, excess: null };
  if (!words.some((word) => HELP_FLAGS.includes(word))) return known;
  let [rows, takesArguments]: [readonly Command[], boolean] = [COMMANDS, false];
  const path: string[] = [];
  for (const word of words.filter((each) => !HELP_FLAGS.includes(each))) {
    if (word.startsWith('-')) return known;
    const row = rows.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
    if (row === undefined) {
      if (rows.length > 0) return { ...known, isKnown: false };
      return takesArguments && !isHelp ? known : { ...known, excess: { word, path } };
    }
    path.push(row.name);
    if (row.loadHelp !== undefined) texts.set(path.join(' '), await row.loadHelp());
    rows = row.actions ?? [];
    takesArguments = row.arguments !== undefined;
  }
  return known;
}

/** @throws CommanderError */
function refuseExcess(program: Program, { path, word }: NonNullable<Asked['excess']>): never {
  let row = program;
  for (const name of path) row = row.commands.find((each) => each.name() === name) ?? row;
  return row.error(`error: unknown command '${word}'`);
}

async function run(command: Command, invocation: Invocation, words: readonly string[]): Promise<number> {
  try {
    if (command.needsRoom === true && isMainThread) return await runInRoomyThread(words);
    refuseFewFiles();
    const { load } = command;
    if (load === undefined) throw new Error(`${command.name} does nothing by itself`);
    const { execute } = await withinSmallNursery(load);
    return await execute(invocation);
  } catch (error) {
    if (isOutOfFiles(error)) {
      console.error(`Too many open files. The limit is ${openFilesLimit() ?? 'unknown'}. ${HOW_TO_RAISE}`);
      return EXIT_FAILURE;
    }
    if (error instanceof LedgerlensError) {
      console.error(error.message);
      return error.code === 'usage' ? EXIT_USAGE : EXIT_FAILURE;
    }
    // Read when it is needed: only a command that has a database open fails so.
    const { databaseErrorText } = await import('./store/open-store.ts');
    const text = databaseErrorText(error);
    if (text === null) throw error;
    console.error(text);
    return EXIT_FAILURE;
  }
}

/** @throws LedgerlensError `too_few_files` when the modules of a command could not be read at once, as Node does. */
function refuseFewFiles(): void {
  const limit = openFilesLimit();
  if (limit === null || limit >= MIN_OPEN_FILES) return;
  throw new LedgerlensError(
    'too_few_files',
    `The limit of open files is ${limit}; Ledgerlens needs at least ${MIN_OPEN_FILES}. ${HOW_TO_RAISE}`,
  );
}

/** In the thread of a command that needs room. */
async function mainOfThread(): Promise<void> {
  process.stderr.isTTY = (workerData as RoomyThreadSetup).isTerminal;
  parentPort?.postMessage(await main(process.argv.slice(2)));
}

/** A command does its work whoever reads what it tells: a console ignores a closed pipe only once. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

keepTickShape();
if (isMainThread) {
  ignoreClosedPipes();
  process.exitCode = await main(process.argv.slice(2));
} else await mainOfThread();
