import type { FormBody } from '../bodies/form-body.ts';
import { fieldText } from '../bodies/form-body.ts';
import { shorten } from '../errors.ts';
import type { FieldFault } from '../model/submitted-form.ts';

/** Pasted sources that the form may have. */
export const MAX_PASTED = 40;

const LIBRARY_ADDRESS = /0x[0-9a-fA-F]{40}$/;

/** Files by their names: those of a field, then what was pasted beside it. */
export function readSources(form: FormBody, field: string): Readonly<Record<string, string>> {
  const files = form.files.filter((file) => file.field === field && file.name !== '');
  const pasted = Array.from({ length: MAX_PASTED }, (_, index) => ({
    name: (fieldText(form, `sourceName${index}`) ?? '').trim(),
    text: fieldText(form, `source${index}`) ?? '',
  })).filter(({ text }) => text.trim() !== '');
  return Object.fromEntries([
    ...files.map(({ name, text }) => [name.replaceAll('\\', '/'), text] as const),
    // Browsers send the lines of a text field with CRLF; what people paste nearly always had LF.
    ...pasted.map(({ name, text }, index) => [
      name === '' ? `source${index}` : name,
      text.replaceAll('\r\n', '\n'),
    ]),
  ]);
}

/** Makes standard JSON of single files and the settings beside them. */
export function readSingleSources(form: FormBody) {
  const faults: FieldFault[] = [];
  const language = fieldText(form, 'language') ?? 'Solidity';
  const sources = withEndings(readSources(form, 'sources'), language);
  if (Object.keys(sources).length === 0)
    faults.push({ field: 'sources', text: 'No sources. Choose files, or paste one.' });
  const settings: Record<string, unknown> = {};
  const evmVersion = (fieldText(form, 'evmVersion') ?? '').trim();
  if (evmVersion !== '') settings['evmVersion'] = evmVersion;
  if (language === 'Solidity') {
    settings['optimizer'] = { enabled: fieldText(form, 'optimizer') !== null, runs: readRuns(form, faults) };
    if (fieldText(form, 'viaIR') !== null) settings['viaIR'] = true;
    const libraries = readLibraries(fieldText(form, 'libraries') ?? '', faults);
    if (Object.keys(libraries).length > 0) settings['libraries'] = libraries;
  }
  const contents = Object.entries(sources).map(([path, content]) => [path, { content }]);
  return { input: { language, sources: Object.fromEntries(contents), settings }, faults };
}

const ENDING_OF: ReadonlyMap<string, string> = new Map([
  ['Solidity', '.sol'],
  ['Vyper', '.vy'],
  ['Fe', '.fe'],
]);

/** A pasted source unnamed gets one that its compiler takes. */
function withEndings(sources: Readonly<Record<string, string>>, language: string) {
  const ending = ENDING_OF.get(language) ?? '';
  return Object.fromEntries(
    Object.entries(sources).map(([name, text]) => [/^source\d+$/.test(name) ? name + ending : name, text]),
  );
}

function readRuns(form: FormBody, faults: FieldFault[]): number {
  const text = (fieldText(form, 'runs') ?? '').trim();
  if (text === '') return 200;
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff) return Number(text);
  faults.push({
    field: 'runs',
    text: 'Runs must be a whole number from 0 to 4294967295; the default is 200.',
  });
  return 200;
}

function readLibraries(text: string, faults: FieldFault[]): Record<string, Record<string, string>> {
  const byFile: Record<string, Record<string, string>> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const { name, address } = splitLibrary(line);
    const colon = name.lastIndexOf(':');
    if (address === '' || colon < 1) {
      const form = 'path/File.sol:Library=0x… with 40 hexadecimal digits';
      faults.push({
        field: 'libraries',
        text: `“${shorten(line)}” is not of the form ${form}, one on each line.`,
      });
      continue;
    }
    const file = name.slice(0, colon).trim();
    byFile[file] = { ...byFile[file], [name.slice(colon + 1).trim()]: address };
  }
  return byFile;
}

/** Without a pattern for the whole: between two parts that take spaces it would need the square of their number. */
function splitLibrary(line: string): { readonly name: string; readonly address: string } {
  const [address = ''] = LIBRARY_ADDRESS.exec(line) ?? [];
  const before = line.slice(0, line.length - address.length);
  // Something must stand between them.
  if (!/[=:\s]$/.test(before.slice(-1))) return { name: '', address: '' };
  const name = before.trimEnd();
  return { name: (/[=:]$/.test(name.slice(-1)) ? name.slice(0, -1) : name).trimEnd(), address };
}
