/** The beginning of a text in which every character, as it is sent, takes what `sizeOf` says; `…` when it is cut. */
export function cutText(text: string, most: number, sizeOf: (character: string) => number): string {
  let size = 0;
  let shown = '';
  for (const character of text) {
    size += sizeOf(character);
    if (size > most - sizeOf('…')) {
      const rest = text.slice(shown.length);
      const restSize = [...rest].reduce((sum, each) => sum + sizeOf(each), size - sizeOf(character));
      return restSize <= most ? text : `${shown}…`;
    }
    shown += character;
  }
  return shown;
}
