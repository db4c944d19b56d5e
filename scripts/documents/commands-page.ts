import type { Command, CommandArgument } from '../../src/commands/command.ts';
import { COMMANDS } from '../../src/commands/command-table.ts';
import { generatedPage, table } from './tables.ts';

/** `docs/commands.md`: every command, action and option, from the table that parses them. */
export function commandsPage(): string {
  const sections = COMMANDS.map((command) => {
    const rows = runnable(command, [command.name]).map(({ usage, summary, options }) => [
      `\`${usage}\``,
      summary,
      options,
    ]);
    const told = `${sentence(command.summary)}${command.notes === undefined ? '' : ` ${command.notes}`}`;
    return `## ${command.name}\n\n${told}\n\n${table(['Usage', 'Does', 'Arguments and options'], rows)}`;
  });
  return generatedPage('Commands', [
    'In a checkout `npx --no-install ledgerlens COMMAND`; elsewhere, and in a container, `ledgerlens COMMAND` once it is [installed](operation.md#install). `ledgerlens help COMMAND` prints the same text. Commands read the variables of the server ([configuration.md](configuration.md)) and work on its database, even while the server runs. The exit code is 0 on success, 1 on failure and 2 for an invalid command line.',
    ...sections,
  ]);
}

interface Runnable {
  readonly usage: string;
  readonly summary: string;
  readonly options: string;
}

/** A command that runs, or its actions. */
function runnable(command: Command, path: readonly string[]): readonly Runnable[] {
  const actions = (command.actions ?? []).flatMap((action) => runnable(action, [...path, action.name]));
  if (command.actions !== undefined) return actions;
  const words = (command.arguments ?? []).map(wordOf);
  const described = [
    ...(command.arguments ?? []).map(({ name, summary }) => `\`${name}\`: ${summary}`),
    ...(command.options ?? []).map(({ flag, value, summary }) => {
      const written = value === undefined ? `--${flag}` : `--${flag} ${value.toUpperCase()}`;
      return `\`${written}\`: ${summary}`;
    }),
  ];
  const own: Runnable = {
    usage: [...path, ...words].join(' '),
    summary: command.summary,
    options: described.join('<br>'),
  };
  return [own];
}

function wordOf({ name, isRequired = false, isList = false }: CommandArgument): string {
  const word = `${name.toUpperCase()}${isList ? '…' : ''}`;
  return isRequired ? word : `[${word}]`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
