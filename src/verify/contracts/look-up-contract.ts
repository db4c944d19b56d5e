import type { ServerResponse } from 'node:http';
import type { BodyBudget } from '../../http/bodies/body-budget.ts';
import { type EverySecond, systemEverySecond } from '../../http/bodies/slow-bodies.ts';
import type { Hex } from '../../values/hex.ts';
import { VerifyRequestError } from '../errors.ts';
import type { ProxyResolution, ProxyResolver } from '../proxy/proxy-resolver.ts';
import type { VerifyService } from '../verify-service.ts';
import type { CompiledContract, ContractRepository, StoredContract } from './contract-repository.sql.ts';

/**
 * Reads a contract as soon as there is room for an answer with it; null when it is not verified.
 *
 * @param withFiles without them sources and signatures are empty.
 * @throws VerifyRequestError `server_busy`
 */
export async function lookUpContract(
  parts: { readonly contracts: ContractRepository; readonly lookUpRoom: ResponseMemoryBudget },
  chainId: string,
  address: Hex,
  response: ServerResponse,
  withFiles = true,
): Promise<StoredContract | null> {
  const { contracts, lookUpRoom } = parts;
  const bytes = await contracts.sizeOfContract(chainId, address, withFiles);
  if (bytes === null) return null;
  await lookUpRoom.enter(bytes, response);
  return withFiles ? contracts.findContract(chainId, address) : contracts.findWithoutFiles(chainId, address);
}

/** Tells whether a verified contract is a proxy, and for what; a chain that fails is a value, too. */
export async function resolveStoredProxy(
  { service, proxies }: { readonly service: VerifyService; readonly proxies: ProxyResolver },
  { match: { chainId, address }, creation, runtime }: CompiledContract,
): Promise<ProxyResolution> {
  const { state } = service.requireChain(chainId);
  const code = runtime.onchain ?? runtime.recompiled;
  return proxies.resolve({ chainId, address, state, runtime: code, creation: creation.onchain });
}

/** What is stored of a contract takes up to this many times its size while it is printed and sent. */
const COPIES = 4;
/** What one large answer counts at most of the capacity, so that any fits alone. */
const LARGEST_SHARE = 1 / 2;
/** Answers up to this do not wait behind larger ones. */
const PASSING_BYTES = 1_048_576;
/** How long a request waits for room. */
const WAIT_TIMEOUT_MS = 3_000;
const RETRY_SECONDS = 5;
/** An answer that others wait for is ended when it is behind this. */
const FIRST_TICKS = 2;
const BYTES_PER_TICK = 1_048_576;

interface Holder {
  readonly bytes: number;
  readonly response: ServerResponse;
  ticks: number;
}

interface Waiting {
  readonly bytes: number;
  readonly response: ServerResponse;
  readonly settle: (hasRoom: boolean) => void;
}

/**
 * Bounds what the answers with sources hold in memory until their clients have taken them.
 *
 * A contract may have 30 MiB of sources. A hundred clients that ask for a twentieth of that and do not read would end
 * the process. When there is no room, a request waits a moment; meanwhile the answers whose clients are slow or do not
 * read at all give way, for them. Slow clients are let be as long as nobody waits.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export class ResponseMemoryBudget {
  readonly #budget: BodyBudget;
  readonly #everySecond: EverySecond;
  readonly #patienceMs: number;
  readonly #holders = new Set<Holder>();
  readonly #waiting = new Set<Waiting>();
  #stop: (() => void) | null = null;
  /** A large answer is made in this turn of the event loop. */
  #isMaking = false;

  constructor(
    budget: BodyBudget,
    everySecond: EverySecond = systemEverySecond,
    patienceMs = WAIT_TIMEOUT_MS,
  ) {
    this.#budget = budget;
    this.#everySecond = everySecond;
    this.#patienceMs = patienceMs;
  }

  get heldBytes(): number {
    return this.#budget.takenBytes;
  }

  /**
   * Waits until there is room for an answer; it is given back when the answer was sent or its connection closes.
   *
   * @param storedBytes of the contract.
   * @throws VerifyRequestError `server_busy`
   */
  async enter(storedBytes: number, response: ServerResponse): Promise<void> {
    if (response.closed) return;
    const bytes = Math.min(storedBytes * COPIES, this.#budget.capacityBytes * LARGEST_SHARE);
    // Large ones come one after the other; the rest of the room is for smaller ones.
    const mayPass = bytes <= PASSING_BYTES || (this.#waiting.size === 0 && !this.#isMaking);
    if (mayPass && this.#take(bytes, response)) return;
    if (await this.#wait(bytes, response)) return;
    throw new VerifyRequestError(
      'server_busy',
      'The server is sending its maximum number of large contracts; try again later.',
      RETRY_SECONDS,
    );
  }

  #wait(bytes: number, response: ServerResponse): Promise<boolean> {
    this.#stop ??= this.#everySecond(() => this.#look());
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean): void => {
        clearTimeout(timer);
        response.off('close', leave);
        this.#waiting.delete(waiting);
        resolve(hasRoom);
      };
      const leave = (): void => settle(false);
      const waiting: Waiting = { bytes, response, settle };
      const timer = setTimeout(leave, this.#patienceMs);
      response.once('close', leave);
      this.#waiting.add(waiting);
    });
  }

  #take(bytes: number, response: ServerResponse): boolean {
    if (!this.#budget.take(bytes, bytes)) return false;
    const holder: Holder = { bytes, response, ticks: 0 };
    this.#holders.add(holder);
    const leave = (): void => this.#leave(holder);
    response.once('finish', leave).once('close', leave);
    if (bytes > PASSING_BYTES) this.#letNextWait();
    return true;
  }

  #leave(holder: Holder): void {
    if (!this.#holders.delete(holder)) return;
    this.#budget.give(holder.bytes);
    this.#letIn();
  }

  /** An answer is made in one go; between two large ones others have their turn. */
  #letNextWait(): void {
    this.#isMaking = true;
    setImmediate(() => {
      this.#isMaking = false;
      this.#letIn();
    });
  }

  #letIn(): void {
    for (const { bytes, response, settle } of this.#waiting) {
      if (this.#isMaking || !this.#take(bytes, response)) return;
      settle(true);
    }
  }

  #look(): void {
    for (const holder of this.#holders) holder.ticks += 1;
    if (this.#waiting.size === 0 && this.#holders.size === 0) {
      this.#stop?.();
      this.#stop = null;
    }
    if (this.#waiting.size === 0) return;
    for (const holder of this.#holders) {
      if (holder.ticks <= FIRST_TICKS + holder.bytes / BYTES_PER_TICK / COPIES) continue;
      // Nothing else tells its client that the answer is not whole.
      holder.response.destroy();
      this.#leave(holder);
    }
  }
}
