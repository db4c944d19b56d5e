import type { JsonObject } from './json-object.ts';
import { isJsonObject } from './json-object.ts';
import type { Language } from './match/compiled-code.ts';

/** Compiler input in the standard JSON form, checked as far as the API promises. */
export interface StandardJson {
  readonly language: Language;
  readonly sources: Readonly<Record<string, SourceFile>>;
  readonly settings?: JsonObject;
  /** Anything else the client sent, for example Vyper `interfaces`. */
  readonly [member: string]: unknown;
}

/** One source file. Members other than `content` are passed on to the compiler. */
export interface SourceFile {
  readonly content: string;
}

/** The contract that a submission is about. */
export interface CompilationTarget {
  readonly path: string;
  readonly name: string;
}

/** The settings of an input; an absent member counts as empty. */
export function settingsOf(input: StandardJson): JsonObject {
  return isJsonObject(input.settings) ? input.settings : {};
}

/** The settings without `outputSelection`, which the server sets itself. */
export function storedSettings(input: StandardJson): JsonObject {
  const { outputSelection: _, ...settings } = settingsOf(input);
  return settings;
}

/** Gives sources other contents; the paths are those of the input. */
export function withContents(input: StandardJson, contents: Readonly<Record<string, string>>): StandardJson {
  const sources = Object.entries(input.sources).map(([path, source]): [string, SourceFile] => [
    path,
    { ...source, content: contents[path] ?? source.content },
  ]);
  return { ...input, sources: Object.fromEntries(sources) };
}

/** Appends one space to every source, for the search of auxdata. */
export function withEditedSources(input: StandardJson): StandardJson {
  const contents = Object.entries(input.sources).map(([path, { content }]) => [path, `${content} `]);
  return withContents(input, Object.fromEntries(contents));
}
