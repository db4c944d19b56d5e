/**
 * Lines of a ledger, of the same kinds that `ledgerlens import` reads: a list of objects (integers may be bigint), a text
 * with one JSON object a line, or the path or file URL of such a text, plain or compressed.
 *
 * A string that begins with `{` or `#`, or has a line break, is a text; any other one is a path.
 */
export type Fixture = readonly object[] | string | URL;

/** How much a fixture has added. */
export interface LoadReport {
  readonly transactions: number;
}

/** Code of a contract on a chain that is not asked; hexadecimal with 0x. */
export interface StaticContract {
  readonly runtimeBytecode: string;
  readonly creationBytecode?: string;
  readonly creationTransactionHash?: string;
  readonly deployer?: string;
  readonly blockNumber?: number;
  readonly transactionIndex?: number;
}

/** A running server of a test. What is called at the same time is done one after the other. */
export interface TestServer extends AsyncDisposable {
  /** Address of the server, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The present of the server, UTC milliseconds. */
  now(): number;
  /**
   * Adds to the ledger. Times of transactions must be after what it has.
   *
   * @throws FixtureError when a line is malformed, or the ledger has passed its time; nothing of it is stored then.
   */
  load(fixture: Fixture): Promise<LoadReport>;
  /**
   * Makes everything as it was after the start: ledger, verified contracts, jobs, status page, code of chains, clock.
   *
   * Address, port and kept connections stay. A request under way sees everything as before; one that is sent after the
   * reset sees nothing of it.
   */
  reset(): Promise<void>;
  /**
   * Moves the clock on and waits for what became due: maintenances, samples and reminders of the status page,
   * deliveries, leases, held status requests. Time-outs of the network stay in real time.
   *
   * What repeats is done up to a thousand times in one call, at even distances.
   */
  advance(milliseconds: number): Promise<void>;
  /**
   * Replaces the code at an address of a chain that has `static`; null removes it.
   *
   * @throws LedgerlensError when the chain has none, or the code is malformed.
   */
  setCode(chainId: string | number, address: string, code: StaticContract | null): void;
  /** Ends after the requests under way. May be called twice. */
  stop(): Promise<void>;
}
