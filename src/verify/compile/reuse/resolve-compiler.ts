import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isJsonObject } from '../../json-object.ts';
import { isBefore } from '../../match/version-order.ts';
import type { StandardJson } from '../../standard-json.ts';
import type { CompileStep } from '../compile-steps.ts';
import type { CompileRequest, ResolvedCompiler } from '../compiler.ts';
import type { CompilerCatalog, CompilerExecutable, CompilerLanguage } from '../compiler-catalog.ts';
import { normaliseVersion } from '../compiler-version.ts';
import { piecesOf, sourceCharacters } from '../pool/text-pieces.ts';

const LARGE_CHARACTERS = 1_048_576;

/**
 * Finds the compiler that a request means, and names the compilation.
 *
 * A request whose compiler is not present passes as it is: the compiler itself downloads it, once, or says so.
 */
export function resolveCompiler(catalog: CompilerCatalog, language: CompilerLanguage): CompileStep {
  return (next) => async (request) => {
    const resolved = await resolve(request, language, catalog);
    return next(resolved === null ? request : { ...request, resolved });
  };
}

async function resolve(
  request: CompileRequest,
  language: CompilerLanguage,
  catalog: CompilerCatalog,
): Promise<ResolvedCompiler | null> {
  const wanted = { language, version: normaliseVersion(request.version) };
  const lookup = await catalog.find(request.kind === undefined ? wanted : { ...wanted, kind: request.kind }, {
    mayDownload: false,
  });
  if (lookup.kind !== 'found') return null;
  const { executable } = lookup;
  const isLarge = sourceCharacters(request.input) > LARGE_CHARACTERS;
  const digests = isLarge ? await digestTexts(request.input) : undefined;
  return { executable, key: compilationKey(request, executable, digests) };
}

/** Another number makes every kept output unknown; to be raised when what is kept or read changes. */
const FORMAT = 4;

/** Texts above this length go to the hash by themselves, without a copy. */
const LONG_TEXT = 4096;
const CHARACTERS_PER_TURN = 1_048_576;
/** Before this version equal input may give other code (issue 2825 of the reference). */
const FIRST_REPEATABLE_VYPER = '0.3.8';

/** What the outcome depends on of a compiler. */
type CompilerBuild = Pick<CompilerExecutable, 'kind' | 'version' | 'sha256'>;

/**
 * Names a compilation by everything that its outcome depends on: compiler, full version and bytes, input, scope,
 * target.
 *
 * The order of members counts only for Vyper and Fe: solc sorts sources and settings by itself, so that the
 * same input from two tools has one name.
 *
 * @param digests stand for the texts that they are of; see {@link digestTexts}. Default: none.
 * @returns SHA-256, hex; null when equal requests may have different outcomes.
 * @see contracts/verification-engine.md section 13
 */
export function compilationKey(
  request: CompileRequest,
  compiler: CompilerBuild,
  digests: TextDigests = NO_DIGESTS,
): string | null {
  const { timeoutMs: _, signal: __, version: ___, resolved: ____, ...subject } = request;
  const { language } = subject.input;
  if (language === 'Vyper' && isBefore(compiler.version, FIRST_REPEATABLE_VYPER)) return null;
  const { kind, version, sha256 } = compiler;
  const text = new CanonicalText(language === 'Solidity' || language === 'Yul', digests);
  text.add({ format: FORMAT, kind, version, sha256, ...subject });
  return text.digest();
}

/** SHA-256 by the text. */
type TextDigests = ReadonlyMap<string, string>;

const NO_DIGESTS: TextDigests = new Map();

/** Hashes the sources of a large input in turns with everything else; hashing 30 MB at once keeps requests waiting. */
export async function digestTexts(input: StandardJson): Promise<TextDigests> {
  const digests = new Map<string, string>();
  let hashed = 0;
  for (const { content } of Object.values(input.sources)) {
    if (content.length <= LONG_TEXT) continue;
    const hash = createHash('sha256');
    for (const piece of piecesOf(content)) {
      // Half characters count, which UTF-8 does not have.
      hash.update(piece, 'utf16le');
      hashed += piece.length;
      if (hashed < CHARACTERS_PER_TURN) continue;
      hashed = 0;
      await setImmediate();
    }
    digests.set(content, hash.digest('hex'));
  }
  return digests;
}

/** JSON without white space that goes straight into a hash. */
class CanonicalText {
  readonly #hash: Hash = createHash('sha256');
  readonly #sortsMembers: boolean;
  readonly #digests: TextDigests;
  #pending = '';

  constructor(sortsMembers: boolean, digests: TextDigests) {
    this.#sortsMembers = sortsMembers;
    this.#digests = digests;
  }

  add(value: unknown): void {
    if (typeof value === 'string') this.#addText(value);
    else if (Array.isArray(value)) this.#addList('[', value, (item) => this.add(item));
    else if (isJsonObject(value)) this.#addObject(value);
    else this.#write(`${JSON.stringify(value)};`);
  }

  digest(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #addObject(value: Readonly<Record<string, unknown>>): void {
    const members = Object.keys(value).filter((member) => value[member] !== undefined);
    if (this.#sortsMembers) members.sort();
    this.#addList('{', members, (member) => {
      this.#addText(member);
      this.add(value[member]);
    });
  }

  /** The length in front makes every text unambiguous. */
  #addList<T>(opening: string, items: readonly T[], add: (item: T) => void): void {
    this.#write(`${opening}${items.length}:`);
    for (const item of items) add(item);
  }

  #addText(value: string): void {
    const digest = value.length > LONG_TEXT ? this.#digests.get(value) : undefined;
    if (digest !== undefined) {
      this.#write(`#${value.length}:${digest}`);
      return;
    }
    // Only JSON tells half characters apart, UTF-8 does not.
    const isPlain = isWellFormed(value);
    const text = isPlain ? value : JSON.stringify(value);
    this.#write(`${isPlain ? '"' : "'"}${text.length}:`);
    if (text.length > LONG_TEXT) {
      this.#flush();
      this.#hash.update(text, 'utf8');
    } else this.#write(text);
  }

  #write(text: string): void {
    this.#pending += text;
    if (this.#pending.length > LONG_TEXT) this.#flush();
  }

  #flush(): void {
    this.#hash.update(this.#pending, 'utf8');
    this.#pending = '';
  }
}

/** Every supported Node has this method, the types of ES2023 do not. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
