/** The thread behind `SourceColours`. */
import { parentPort } from 'node:worker_threads';
import Prism from 'prismjs';
import { printHtml } from '../../../pages/html.ts';
import { lowerPriority } from '../../../threads/lower-priority.ts';
import { grammarOf } from './grammars.ts';
import { boundLines, colouredLines, plainLines, printLines } from './print-lines.ts';
import type { ColourTask, PrintedSource } from './source-colours.ts';

// Requests that are answered go first.
lowerPriority();
parentPort?.on('message', (task: ColourTask) => parentPort?.postMessage(printSource(task)));

function printSource({ text, language }: ColourTask): PrintedSource {
  const { lines, omittedLines, cutLines, isColoured } = boundLines(text);
  const printed =
    isColoured && language !== null
      ? colouredLines(Prism.tokenize(lines.join('\n'), grammarOf(language)))
      : plainLines(lines);
  return { markup: printHtml(printLines(printed)), lines: lines.length, omittedLines, cutLines };
}
