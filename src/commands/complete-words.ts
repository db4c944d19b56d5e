import type { Command } from './command.ts';

/**
 * What may stand in the place of the last word of a call: commands, actions, options, or the words of an argument.
 *
 * @param words after the executable's name; the last one is what was begun, maybe empty.
 * @returns empty where only a file or a text of one's own makes sense.
 */
export function completeWords(words: readonly string[], commands: readonly Command[]): readonly string[] {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  return candidates(before, begun, commands).filter((word) => word.startsWith(begun));
}

function candidates(
  before: readonly string[],
  begun: string,
  commands: readonly Command[],
): readonly string[] {
  let [rows, command, depth]: [readonly Command[], Command | null, number] = [commands, null, 0];
  for (const word of before) {
    const next: Command | undefined = rows.find(({ name, aliases = [] }) =>
      [name, ...aliases].includes(word),
    );
    if (next === undefined) break;
    [rows, command] = [next.actions ?? [], next];
    depth++;
  }
  if (command === null)
    return before.length > 0 ? [] : [...rows.map(({ name }) => name), 'help', '--help', '--version'];
  const last = before.at(-1) ?? '';
  const asked = command.options?.find(({ flag, value }) => value !== undefined && last === `--${flag}`);
  if (asked !== undefined) return asked.words ?? [];
  if (begun.startsWith('-')) return [...(command.options ?? []).map(({ flag }) => `--${flag}`), '--help'];
  if (rows.length > 0) return before.length > depth ? [] : rows.map(({ name }) => name);
  const place = before.slice(depth).filter((word) => !word.startsWith('-')).length;
  return command.arguments?.[place]?.words ?? [];
}
