interface Link<T> {
  readonly value: T;
  next: Link<T> | null;
}

/** Gives values in order of arrival, without moving the rest, and keeps nothing of what it gave. */
class Queue<T> {
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  push(value: T): void {
    const link: Link<T> = { value, next: null };
    if (this.#last === null) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
  }

  shift(): T | null {
    const first = this.#first;
    if (first === null) return null;
    this.#first = first.next;
    if (this.#first === null) this.#last = null;
    // An old link that is given would keep young ones from being collected early.
    first.next = null;
    return first.value;
  }
}

/** One value of each client in turn, those of a client in order of arrival. */
export class FairQueue<T> {
  readonly #isGone: (value: T) => boolean;
  readonly #ofClient = new Map<string, Queue<T>>();
  /** The next one first. */
  readonly #clients = new Queue<string>();

  /** @param isGone a value that waits in vain; it takes no turn of its client. */
  constructor(isGone: (value: T) => boolean) {
    this.#isGone = isGone;
  }

  push(client: string, value: T): void {
    let queue = this.#ofClient.get(client);
    if (queue === undefined) {
      queue = new Queue();
      this.#ofClient.set(client, queue);
      this.#clients.push(client);
    }
    queue.push(value);
  }

  /** Takes the next value; its client comes after all others then. */
  shift(): T | null {
    for (;;) {
      const client = this.#clients.shift();
      if (client === null) return null;
      const queue = this.#ofClient.get(client);
      let first = queue?.shift() ?? null;
      while (first !== null && this.#isGone(first)) first = queue?.shift() ?? null;
      if (queue?.isEmpty) this.#ofClient.delete(client);
      else this.#clients.push(client);
      if (first !== null) return first;
    }
  }
}
