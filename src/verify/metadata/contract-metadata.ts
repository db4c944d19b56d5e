import type { JsonObject } from '../json-object.ts';
import { isJsonObject } from '../json-object.ts';
import { isBefore } from '../match/version-order.ts';
import type { CompilationTarget, StandardJson } from '../standard-json.ts';
import type { ListedSource } from './find-files.ts';

/** The part of a contract's metadata from which it can be compiled again. */
export interface ContractMetadata {
  readonly language: 'Solidity' | 'Yul';
  /** Without `v`. */
  readonly compilerVersion: string;
  readonly settings: JsonObject;
  readonly sources: Readonly<Record<string, ListedSource>>;
}

/**
 * Reads the contract that metadata are about.
 *
 * @returns null unless there is exactly one.
 * @see contracts/verification-engine.md section 9.3
 */
export function readCompilationTarget({ settings }: ContractMetadata): CompilationTarget | null {
  const targets = compilationTargets(settings);
  const [path] = targets;
  const name = path === undefined ? undefined : (settings['compilationTarget'] as JsonObject)[path];
  return path === undefined || targets.length > 1 || typeof name !== 'string' ? null : { path, name };
}

/** Paths of all targets, for the message about too many of them. */
export function compilationTargets(settings: JsonObject): readonly string[] {
  const targets = settings['compilationTarget'];
  return isJsonObject(targets) ? Object.keys(targets) : [];
}

/**
 * Rebuilds the compiler input that gave the metadata.
 *
 * @param contents every source of the input by path
 * @see contracts/verification-engine.md section 9.3
 */
export function rebuildInput(
  metadata: ContractMetadata,
  contents: Readonly<Record<string, string>>,
): StandardJson {
  const {
    compilationTarget: _,
    libraries,
    metadata: aboutMetadata,
    optimizer,
    ...settings
  } = metadata.settings;
  return {
    language: metadata.language,
    sources: Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }])),
    settings: {
      ...literalContent(metadata),
      ...settings,
      ...(aboutMetadata === undefined ? {} : { metadata: acceptedMetadata(aboutMetadata) }),
      ...(optimizer === undefined
        ? {}
        : { optimizer: acceptedOptimizer(optimizer, metadata.compilerVersion) }),
      ...(isJsonObject(libraries) ? { libraries: librariesByFile(libraries) } : {}),
    },
  };
}

/** solc prints the kind of a hash that is not appended, and refuses the pair as input. */
function acceptedMetadata(settings: unknown): unknown {
  if (!isJsonObject(settings) || settings['appendCBOR'] !== false) return settings;
  const { bytecodeHash: _, ...others } = settings;
  return others;
}

/** Below 0.5.0 the settings do not say that the sources are in the metadata. */
function literalContent({ sources }: ContractMetadata): JsonObject {
  const listed = Object.values(sources);
  const isLiteral = listed.length > 0 && listed.every(({ content }) => content !== undefined);
  return isLiteral ? { metadata: { useLiteralContent: true } } : {};
}

const FIRST_WITH_INLINER = '0.8.2';
const FIRST_THAT_READS_INLINER = '0.8.5';

/** 0.8.2 to 0.8.4 print a setting that they do not read. */
function acceptedOptimizer(optimizer: unknown, version: string): unknown {
  if (!isJsonObject(optimizer) || !isJsonObject(optimizer['details'])) return optimizer;
  if (isBefore(version, FIRST_WITH_INLINER) || !isBefore(version, FIRST_THAT_READS_INLINER)) return optimizer;
  const { inliner: _, ...details } = optimizer['details'];
  return { ...optimizer, details };
}

/** Metadata name libraries `file:Lib`, the input by file; before 0.7.5 the file is missing. */
function librariesByFile(libraries: JsonObject): JsonObject {
  const byFile = new Map<string, [string, unknown][]>();
  for (const [name, address] of Object.entries(libraries)) {
    const colon = name.lastIndexOf(':');
    const file = colon < 0 ? '' : name.slice(0, colon);
    byFile.set(file, [...(byFile.get(file) ?? []), [name.slice(colon + 1), address]]);
  }
  return Object.fromEntries([...byFile].map(([file, entries]) => [file, Object.fromEntries(entries)]));
}
