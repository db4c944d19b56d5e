import { setImmediate as otherEvents } from 'node:timers/promises';
import type { VerificationResult } from '../results/verification-result.ts';

/** Sources as bytes, by path: their memory can be handed to another thread, a text is copied. */
export type SourceBytes = readonly (readonly [path: string, content: Uint8Array<ArrayBuffer>])[];

/** Below this nobody feels the copy. */
const LARGE_CHARACTERS = 1_048_576;

/**
 * Takes large sources out of a result, a file at a time beside other work.
 *
 * @returns null when they are small.
 */
export async function takeLargeSources(
  result: VerificationResult,
): Promise<{ readonly rest: VerificationResult; readonly sources: SourceBytes } | null> {
  if (result.kind === 'failed') return null;
  const files = Object.entries(result.compilation.input.sources);
  if (files.reduce((sum, [, { content }]) => sum + content.length, 0) < LARGE_CHARACTERS) return null;
  const encoder = new TextEncoder();
  const sources: [string, Uint8Array<ArrayBuffer>][] = [];
  for (const [path, { content }] of files) {
    sources.push([path, encoder.encode(content)]);
    await otherEvents();
  }
  return { rest: withSources(result, {}), sources };
}

/** Puts them back. */
export function putLargeSources(result: VerificationResult, sources: SourceBytes): VerificationResult {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = sources.map(([path, bytes]) => [path, { content: decoder.decode(bytes) }] as const);
  return withSources(result, Object.fromEntries(texts));
}

function withSources(
  result: VerificationResult,
  sources: Readonly<Record<string, { readonly content: string }>>,
): VerificationResult {
  if (result.kind === 'failed') return result;
  const { compilation } = result;
  return { ...result, compilation: { ...compilation, input: { ...compilation.input, sources } } };
}
