import { quoteLargeRuns } from '../exact-runs.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';

/** A file as it was sent. */
export interface SentFile {
  readonly path: string;
  readonly text: string;
}

/** The contracts that files are about: their metadata, and all texts that may be sources. */
interface FoundContracts {
  readonly metadata: readonly JsonObject[];
  /** By path; a path counts only when two files have the same text. */
  readonly sources: Readonly<Record<string, string>>;
}

/**
 * Sorts files into metadata and sources. What Hardhat keeps of a compilation (`input` and `output` in one file) gives the
 * metadata of all its contracts and their sources.
 */
export function findContracts(files: readonly SentFile[]): FoundContracts {
  const metadata: JsonObject[] = [];
  const sources = new Map<string, string>();
  for (const { path, text } of files) {
    const value = parseObject(text);
    if (value !== null && isMetadata(value)) metadata.push(value);
    else if (value !== null && isBuild(value)) takeBuild(value, metadata, sources);
    else sources.set(path, text);
  }
  return { metadata, sources: Object.fromEntries(sources) };
}

/** Path and name of the contract that metadata are about; empty when they do not say. */
export function nameOfMetadata(metadata: JsonObject): { readonly path: string; readonly name: string } {
  const settings = metadata['settings'];
  const target = isJsonObject(settings) ? settings['compilationTarget'] : undefined;
  const [entry] = isJsonObject(target) ? Object.entries(target) : [];
  return { path: entry?.[0] ?? '', name: typeof entry?.[1] === 'string' ? entry[1] : '' };
}

function isMetadata(value: JsonObject): boolean {
  const { compiler, settings, sources } = value;
  return (
    isJsonObject(compiler) &&
    isJsonObject(sources) &&
    isJsonObject(settings) &&
    'compilationTarget' in settings
  );
}

function isBuild({ input, output }: JsonObject): boolean {
  return isJsonObject(input) && isJsonObject(input['sources']) && isJsonObject(output);
}

function takeBuild(
  { input, output }: JsonObject,
  metadata: JsonObject[],
  sources: Map<string, string>,
): void {
  for (const [path, source] of membersOf(memberOf(input, 'sources')))
    if (isJsonObject(source) && typeof source['content'] === 'string') sources.set(path, source['content']);
  for (const [, contracts] of membersOf(memberOf(output, 'contracts'))) {
    for (const [, contract] of membersOf(contracts)) {
      const text = isJsonObject(contract) ? contract['metadata'] : undefined;
      const value = typeof text === 'string' ? parseObject(text) : null;
      if (value !== null && isMetadata(value)) metadata.push(value);
    }
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Null for anything but a JSON object. */
function parseObject(text: string): JsonObject | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(quoteLargeRuns(text));
    return isJsonObject(value) ? value : null;
  } catch (error) {
    // A source that begins with a brace.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
