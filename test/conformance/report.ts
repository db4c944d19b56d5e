import { stringifyExact } from '../../src/commands/exact-json.ts';

type Outcome = 'passed' | 'failed' | 'skipped';

/** Thrown by a suite when a case cannot be run; the reason is printed. */
export class CaseSkipped extends Error {}

/** Thrown by a suite when an answer is not what the case expects; `differences` are printed line by line. */
export class CaseFailed extends Error {
  readonly differences: readonly string[];

  constructor(differences: readonly string[]) {
    super(differences.join('\n'));
    this.differences = differences;
  }
}

/** How many cases of each folder ended in which way. */
export type Counts = Readonly<Record<string, Readonly<Record<Outcome, number>>>>;

const NONE: Readonly<Record<Outcome, number>> = { passed: 0, failed: 0, skipped: 0 };

/** Runs the cases of a file one after the other. */
export class Report {
  readonly #counts: Record<string, Record<Outcome, number>> = {};
  readonly #lines: string[] = [];
  readonly #only: string | null;

  /** @param only what the names of cases have to contain; null for all */
  constructor(only: string | null) {
    this.#only = only;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** What a reader of the result has to see. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Whether `--only` leaves the case in; a suite may save work for those that it does not. */
  includes(name: string): boolean {
    return this.#only === null || name.includes(this.#only);
  }

  /** Tells how cases were run; the same line is printed once. */
  note(line: string): void {
    this.#lines.push(line);
  }

  /** Runs one case; its failure is told and counted, and does not stop the others. */
  async run(folder: string, name: string, body: () => Promise<void>): Promise<void> {
    if (!this.includes(name)) return;
    try {
      await body();
      this.#count(folder, 'passed');
    } catch (error) {
      if (error instanceof CaseSkipped) {
        this.#count(folder, 'skipped');
        this.#lines.push(`skipped ${folder} ${name}: ${error.message}`);
        return;
      }
      this.#count(folder, 'failed');
      const lines =
        error instanceof CaseFailed ? error.differences : [String((error as Error).stack ?? error)];
      this.#lines.push([`FAILED ${folder} ${name}`, ...lines.map((line) => `    ${line}`)].join('\n'));
    }
  }

  #count(folder: string, outcome: Outcome): void {
    const counts = this.#counts[folder] ?? { ...NONE };
    counts[outcome] += 1;
    this.#counts[folder] = counts;
  }
}

/** Lines for each folder, in this order, and for all. @returns whether something ran and nothing failed. */
export function printTotals(counts: readonly Counts[], print: (line: string) => void): boolean {
  const folders = [...new Set(counts.flatMap((each) => Object.keys(each)))];
  const sums = folders.map((folder) => sum(counts.flatMap((each) => each[folder] ?? [])));
  const total = sum(sums);
  for (const [index, folder] of folders.entries()) print(`${folder}: ${line(sums[index] ?? NONE)}`);
  print(line(total));
  return total.failed === 0 && total.passed > 0;
}

function sum(counts: readonly Readonly<Record<Outcome, number>>[]): Readonly<Record<Outcome, number>> {
  return counts.reduce(
    (left, right) => ({
      passed: left.passed + right.passed,
      failed: left.failed + right.failed,
      skipped: left.skipped + right.skipped,
    }),
    NONE,
  );
}

function line({ passed, failed, skipped }: Readonly<Record<Outcome, number>>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** How two values may differ and still count as equal. */
export interface Leniency {
  /** Member names that are equal as number or as text of the same digits. */
  readonly numberOrText?: ReadonlySet<string>;
  /** Member names for which null and absent are the same. */
  readonly absentEqualsNull?: ReadonlySet<string>;
  /** Whether the answer may have members that the case does not name. Default false. */
  readonly additionalMembers?: boolean;
}

/** Lists where `actual` differs from `expected`, as `path: expected … got …`; empty when they are equal. */
export function differences(
  expected: unknown,
  actual: unknown,
  leniency: Leniency = {},
  path = '$',
): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, index) =>
      differences(expected[index], actual[index], leniency, `${path}[${index}]`),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([
      ...Object.keys(expected),
      ...(leniency.additionalMembers ? [] : Object.keys(actual)),
    ]);
    return [...names].flatMap((name) => {
      const [left, right] = normalised(name, expected[name], actual[name], leniency);
      return differences(left, right, leniency, `${path}.${name}`);
    });
  }
  return isSame(expected, actual) ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
}

function normalised(
  name: string,
  expected: unknown,
  actual: unknown,
  leniency: Leniency,
): [unknown, unknown] {
  if (leniency.numberOrText?.has(name)) return [asDigits(expected), asDigits(actual)];
  if (leniency.absentEqualsNull?.has(name)) return [expected ?? null, actual ?? null];
  return [expected, actual];
}

function asDigits(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

function isSame(left: unknown, right: unknown): boolean {
  const isNumeric = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
  return isNumeric(left) && isNumeric(right) ? String(left) === String(right) : Object.is(left, right);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SHOWN_CHARACTERS = 300;

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : stringifyExact(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
