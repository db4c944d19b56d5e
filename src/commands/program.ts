import { Argument, Option, Command as Program } from 'commander';
import type { Command, CommandArgument, CommandOption, Invocation, MoreHelp } from './command.ts';

/** What a program runs with, besides the words that it parses. */
interface ProgramParts {
  readonly commands: readonly Command[];
  readonly version: string;
  readonly env: Invocation['env'];
  /** More for the help of commands that have it, by their words: `status create component`. */
  readonly moreHelp: ReadonlyMap<string, MoreHelp>;
  /** Runs the chosen command. */
  run(command: Command, invocation: Invocation): Promise<void>;
}

/** Longer terms have a line of their own, so that the texts keep their width. */
const MORE_TERM_WIDTH = 26;

/** Makes the parser of the table; errors are thrown as `CommanderError` after they were printed. */
export function createProgram(parts: ProgramParts): Program {
  const program = new Program('ledgerlens')
    .description('Contract verification, status page and ledger mirror APIs in one small server.')
    .version(parts.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also after any command')
    .helpCommand('help [command]', 'print help for a command')
    .usage('COMMAND')
    // "compilers add --version" is not the question for the version of the program.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(sentence(text)) })
    .showHelpAfterError('Run "ledgerlens --help" for a list of commands.')
    .addHelpText('after', '\nConfiguration: environment variables; run "ledgerlens check" to validate them.');
  for (const command of parts.commands) program.addCommand(rowOf(command, [command.name], program, parts));
  return program;
}

/** The words of a call with the action that is meant when none is named. */
export function withDefaultAction(words: readonly string[], commands: readonly Command[]): readonly string[] {
  const [name, second, ...rest] = words;
  const action = commands.find((each) => each.name === name)?.defaultAction;
  const isNamed = second !== undefined && (!second.startsWith('-') || ['-h', '--help'].includes(second));
  if (name === undefined || action === undefined || isNamed) return words;
  return [name, action, ...(second === undefined ? [] : [second, ...rest])];
}

function rowOf(command: Command, path: readonly string[], parent: Program, parts: ProgramParts): Program {
  const row = new Program(command.name)
    .copyInheritedSettings(parent)
    .helpOption('-h, --help', 'print help')
    .configureHelp({
      // Aliases are other spellings of the same word.
      subcommandTerm: (each) => each.name(),
      commandUsage: (each) => `ledgerlens ${path.join(' ')} ${each.usage()}`,
    })
    .summary(command.summary)
    .description(
      command.notes === undefined
        ? `${capital(command.summary)}.`
        : `${capital(command.summary)}. ${command.notes}`,
    )
    .aliases([...(command.aliases ?? [])])
    .showHelpAfterError(`Run "ledgerlens ${path.join(' ')} --help" for usage.`);
  for (const argument of command.arguments ?? []) row.addArgument(argumentOf(argument));
  for (const option of command.options ?? []) row.addOption(optionOf(option));
  const { load } = command;
  for (const action of command.actions ?? []) {
    const own = load === undefined ? action : { load, ...action };
    row.addCommand(rowOf(own, [...path, action.name], row, parts));
  }
  const more = parts.moreHelp.get(path.join(' '));
  if (more !== undefined) row.addHelpText('after', () => `\n${printMore(row, more)}`);
  if (command.actions === undefined) {
    row.action(async () => {
      const positionals = [...path.slice(1), ...row.args];
      await parts.run(command, { positionals, values: valuesOf(row, command), env: parts.env });
    });
  }
  return row;
}

function printMore(row: Program, { heading, items, example }: MoreHelp): string {
  const helper = row.createHelp();
  helper.prepareContext({});
  const lines = items.flatMap(([term, text]) =>
    term.length > MORE_TERM_WIDTH
      ? [`  ${term}`, helper.formatItem('', MORE_TERM_WIDTH, text, helper)]
      : [helper.formatItem(term, MORE_TERM_WIDTH, text, helper)],
  );
  return [`${heading}:`, ...lines, '', 'Example:', `  ${example}`].join('\n');
}

function argumentOf({ name, summary, words, isRequired = false, isList = false }: CommandArgument): Argument {
  const shown = isList ? `${name}...` : name;
  const argument = new Argument(isRequired ? `<${shown}>` : `[${shown}]`, summary);
  return words === undefined ? argument : argument.choices([...words]);
}

function optionOf({ flag, value, words, summary }: CommandOption): Option {
  const option = new Option(value === undefined ? `--${flag}` : `--${flag} <${value}>`, summary);
  return words === undefined ? option : option.choices([...words]);
}

/** By their flags, as they are written. */
function valuesOf(row: Program, { options = [] }: Command): Invocation['values'] {
  const values: Record<string, string | boolean> = {};
  for (const { flag } of options) {
    const given: unknown = row.getOptionValue(new Option(`--${flag}`).attributeName());
    if (typeof given === 'string' || typeof given === 'boolean') values[flag] = given;
  }
  return values;
}

/** The parser's errors as sentences of this program: "Unknown option '--fast'". */
function sentence(text: string): string {
  return capital(text.replace(/^error: /, ''));
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
