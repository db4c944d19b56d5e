import { IngestError, isSourceFault } from '../errors.ts';
import type { UnitFiles } from '../record-file/unit-files.ts';
import type { UnitLink } from '../units/stream-unit.ts';
import { readIntact } from './verify-copy.ts';

/** Where the copies of a record file say that it stands: each is read once, when its turn comes. */
export class CopyLinks {
  /** Why the first copy that tells nothing does not; that it could not be read outweighs its damage. */
  failure: IngestError | null = null;
  readonly #files: UnitFiles;
  readonly #known: UnitLink[] = [];
  #read = 0;

  constructor(files: UnitFiles) {
    this.#files = files;
  }

  /** Of the intact copies alone: what a damaged one says is nothing. */
  async *all(): AsyncGenerator<UnitLink> {
    for (let index = 0; ; index++) {
      while (index >= this.#known.length && this.#read < this.#files.records.length) await this.#readNext();
      const link = this.#known[index];
      if (link === undefined) return;
      yield link;
    }
  }

  async #readNext(): Promise<void> {
    const copy = this.#files.records[this.#read++];
    if (copy === undefined) return;
    try {
      this.#known.push(await readIntact(copy, this.#files));
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      if (this.failure === null || (isSourceFault(error) && !isSourceFault(this.failure)))
        this.failure = error;
    }
  }
}
