import { joinSignals } from '../../../../values/joined-signal.ts';
import { type BackOff, backOffMs, within } from '../../pause.ts';
import {
  type BlockNode,
  type BlockNodeConnection,
  BlockNodeError,
  type BlockNodeFault,
  type ConnectToNode,
  type FeedTime,
  type NodeStatus,
} from './block-node-connection.ts';

/** A node that serves a block, with its open connection. */
export interface ChosenNode {
  readonly node: BlockNode;
  readonly connection: BlockNodeConnection;
  readonly status: NodeStatus;
}

/** No node serves a block now. */
interface NoNode {
  /** When to ask again. */
  readonly waitMs: number;
  /** Why, for people; null when nodes are well and only wait for the block. */
  readonly trouble: NodeTrouble | null;
}

/** Why nothing comes. */
export interface NodeTrouble {
  readonly isReachable: boolean;
  readonly text: string;
}

/** Who has a block that a node was asked for; unknown where the node does not tell, or its word is not believed. */
export type Holder = 'itself' | 'another' | 'nobody' | 'unknown';

/** A node that was asked for its status. */
interface Asked {
  readonly node: BlockNode;
  readonly connection: BlockNodeConnection;
  readonly status: NodeStatus | BlockNodeError;
}

const STATUS_MS = 2_000;
/** So many outvote one. */
const MAX_OF = 3;
/** Nodes that are well but do not have the block yet are asked again this often. */
const LACKING_MS = 2_000;

/**
 * The nodes in order of preference, what each said last and how it served.
 *
 * @see contracts/streams.md sections 17.3 and 17.5
 */
export class NodePool {
  readonly #connect: ConnectToNode;
  readonly #time: FeedTime;
  readonly #find: () => Promise<readonly BlockNode[]>;
  /** Those that were found last. */
  #found: readonly BlockNode[] = [];
  readonly #standings = new Map<string, NodeStanding>();
  /** What each said last. */
  readonly #statuses = new Map<string, NodeStatus>();
  /** Those that failed since they said it. */
  readonly #doubted = new Set<string>();

  /** @param find asked before each choice, in order of preference */
  constructor(find: () => Promise<readonly BlockNode[]>, connect: ConnectToNode, time: FeedTime) {
    this.#find = find;
    this.#connect = connect;
    this.#time = time;
  }

  /**
   * The highest block that most of the nodes say they have. Of two, one may lag as well as the other may boast: the one
   * that is followed is believed. Null while nobody tells.
   */
  newest(followed: BlockNode | null): bigint | null {
    const well = this.#told(({ name }) => !this.#doubted.has(name));
    const told = well.length > 0 ? well : this.#told();
    if (told.length < MAX_OF && followed !== null) return this.lastOf(followed);
    return told[Math.floor(told.length / 2)] ?? null;
  }

  /** The highest block that any node says it has, also one that failed since. */
  get highest(): bigint | null {
    return this.#told()[0] ?? null;
  }

  /** The highest block that a node said it has, also where it failed since; null where it does not tell. */
  lastOf(node: BlockNode | null): bigint | null {
    const status = this.#statuses.get(node?.name ?? '');
    return status !== undefined && isRange(status) ? status.last : null;
  }

  /**
   * The first node that has the block, or will have it next. Nodes that were set aside are asked when
   * no other one has it.
   *
   * @param last a node that others are preferred to, because nothing comes from it, but none that failed lately
   * @param heard nodes that gave the block already: they are asked when no other one has it, aside or not
   */
  async choose(
    next: bigint,
    signal: AbortSignal,
    last: string | null = null,
    heard: ReadonlySet<string> = new Set(),
  ): Promise<ChosenNode | NoNode> {
    const nodes = await this.#nodes();
    const now = this.#time.clock.now();
    const isDue = (node: BlockNode, isLonely: boolean) => askedFrom(this.#standing(node), isLonely) <= now;
    const again = nodes.filter((node) => heard.has(node.name) && isDue(node, true));
    const active = nodes.filter((node) => !heard.has(node.name) && isDue(node, false));
    const aside = nodes.filter(
      (node) => !heard.has(node.name) && !active.includes(node) && isDue(node, true),
    );
    const told: string[] = [];
    let [hasReached, isLacking] = [false, false];
    for (const group of [active, aside, again]) {
      const asked = await this.#askAll(group, signal);
      const chosen = firstServing(asked, next, (name) => {
        if (last === null) return 0;
        if (name === last) return 1;
        return this.#isBelieved(name) ? 0 : 2;
      });
      for (const each of asked) {
        if (each !== chosen) each.connection.close();
        if (each.status instanceof BlockNodeError) continue;
        hasReached = true;
        const lack = lackOf(each.status, next);
        if (lack === null) isLacking = true;
        else told.push(`${each.node.name} ${lack}`);
      }
      if (chosen !== null) return chosen;
    }
    const from = this.#time.clock.now();
    const wakings = nodes.map((node) => askedFrom(this.#standing(node), true) - from).filter((ms) => ms > 0);
    const waitMs = Math.min(...wakings, LACKING_MS);
    const failed = nodes.flatMap((node) => {
      const { trouble } = this.#standing(node);
      if (trouble !== null && trouble.fault !== 'unreachable') hasReached = true;
      return trouble === null ? [] : [`${node.name} ${trouble.text}`];
    });
    const reasons = [...told, ...failed];
    if (isLacking || reasons.length === 0) return { waitMs, trouble: null };
    const text = `No block node serves block ${next}: ${reasons.join('; ')}`;
    return { waitMs, trouble: { isReachable: hasReached, text } };
  }

  /** A node that tells what it has: the first of those without a failure, else the one whose last is longest past. */
  async any(signal: AbortSignal): Promise<ChosenNode | null> {
    const failedAt = (node: BlockNode) => this.#standing(node).failedAt;
    const nodes = [...(await this.#nodes())].sort((one, other) => failedAt(one) - failedAt(other));
    const asked = await this.#askAll(nodes, signal);
    const found = asked.find(({ status }) => !(status instanceof BlockNodeError) && status !== 'unknown');
    for (const each of asked) if (each !== found) each.connection.close();
    return (found as ChosenNode | undefined) ?? null;
  }

  /** Who says that it has a block that does not come from a node. Nobody believes one that failed lately. */
  async holderOf(number: bigint, node: string, signal: AbortSignal): Promise<Holder> {
    const isWell = ({ name }: BlockNode) => this.#isBelieved(name);
    const asked = (await this.#nodes()).filter((each) => each.name === node || isWell(each));
    const told = await this.#statusesOf(asked, signal);
    const own = told.find((each) => each.node.name === node);
    if (own !== undefined && holds(own.status, number)) return isWell(own.node) ? 'itself' : 'unknown';
    if (told.some(({ status }) => holds(status, number))) return 'another';
    return own !== undefined && (isRange(own.status) || own.status === 'empty') ? 'nobody' : 'unknown';
  }

  /** What nodes other than these say of the block: some have it, or none does although there are others, or are none. */
  async others(
    number: bigint,
    heard: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<'have it' | 'lack it' | 'are none'> {
    const nodes = (await this.#nodes()).filter(({ name }) => !heard.has(name));
    const told = await this.#statusesOf(nodes, signal);
    if (told.some(({ status }) => holds(status, number))) return 'have it';
    return told.length === 0 ? 'are none' : 'lack it';
  }

  /** Whether a node that is preferred to this one serves the block. */
  async hasBetter(than: string, next: bigint, signal: AbortSignal): Promise<boolean> {
    const nodes = await this.#nodes();
    const now = this.#time.clock.now();
    const before = nodes.slice(
      0,
      nodes.findIndex(({ name }) => name === than),
    );
    const due = before.filter((node) => askedFrom(this.#standing(node), false) <= now);
    const told = await this.#statusesOf(due, signal);
    return told.some(({ status }) => holds(status, next) || awaits(status, next));
  }

  failed(node: string, error: BlockNodeError): void {
    this.#fail(node, { fault: error.fault, text: error.message }, afterFailure);
  }

  /** A block of it was refused. */
  gaveBadBlock(node: string, reason: string): void {
    this.#fail(node, { fault: 'protocol', text: reason }, afterBadBlock);
  }

  /** A block of it was accepted. */
  served(node: string): void {
    this.#standings.delete(node);
  }

  /** What is wrong with nodes, for people. */
  notes(): readonly string[] {
    return this.#found.flatMap((node) => {
      const { trouble } = this.#standing(node);
      return trouble === null ? [] : [`block node ${node.name} ${trouble.text}`];
    });
  }

  async #nodes(): Promise<readonly BlockNode[]> {
    this.#found = await this.#find();
    return this.#found;
  }

  /** The last blocks of nodes, the highest first. */
  #told(isMeant: (node: BlockNode) => boolean = () => true): readonly bigint[] {
    const told = this.#found.filter(isMeant).flatMap((node) => this.lastOf(node) ?? []);
    return told.sort((a, b) => (a < b ? 1 : -1));
  }

  #fail(node: string, trouble: NonNullable<NodeStanding['trouble']>, after: typeof afterFailure): void {
    const { clock, random } = this.#time;
    this.#doubted.add(node);
    const before = this.#standings.get(node) ?? FRESH;
    this.#standings.set(node, after(before, trouble, clock.now(), random()));
  }

  #standing({ name }: BlockNode): NodeStanding {
    return this.#standings.get(name) ?? FRESH;
  }

  /** One that claims what it does not send is asked ever less often, one that is well again is not forgotten. */
  #isBelieved(name: string): boolean {
    const { errors, failedAt } = this.#standings.get(name) ?? FRESH;
    return errors === 0 || this.#time.clock.now() >= failedAt + backOffMs(errors, DOUBT, () => 0.5);
  }

  async #statusesOf(nodes: readonly BlockNode[], signal: AbortSignal) {
    const asked = await this.#askAll(nodes, signal);
    for (const { connection } of asked) connection.close();
    return asked;
  }

  async #askAll(nodes: readonly BlockNode[], signal: AbortSignal): Promise<readonly Asked[]> {
    const asked = await Promise.all(nodes.map((node) => this.#ask(node, signal)));
    for (const { node, status } of asked) {
      if (status instanceof BlockNodeError && !signal.aborted) this.failed(node.name, status);
    }
    return asked;
  }

  async #ask(node: BlockNode, signal: AbortSignal): Promise<Asked> {
    const connection = this.#connect(node);
    const ending = joinSignals(signal);
    try {
      const answer = connection.serverStatus(ending.signal);
      const result = await within(answer, STATUS_MS, this.#time.pause);
      if (result === 'late') {
        answer.catch(() => {});
        const late = `did not report its status within ${STATUS_MS / 1000} s`;
        return { node, connection, status: new BlockNodeError('unreachable', late) };
      }
      this.#statuses.set(node.name, result.value);
      this.#doubted.delete(node.name);
      return { node, connection, status: result.value };
    } catch (error) {
      if (!(error instanceof BlockNodeError)) throw error;
      return { node, connection, status: error };
    } finally {
      ending.end();
    }
  }
}

function firstServing(
  asked: readonly Asked[],
  next: bigint,
  placeOf: (name: string) => number,
): (ChosenNode & Asked) | null {
  const ordered = [...asked].sort((one, other) => placeOf(one.node.name) - placeOf(other.node.name));
  const found = ordered.find(({ status }) => holds(status, next) || awaits(status, next));
  return (found as (ChosenNode & Asked) | undefined) ?? null;
}

function holds(status: Asked['status'], number: bigint): boolean {
  return isRange(status) && status.first <= number && number <= status.last;
}

/** Whether the block is the next one of a node, or the node does not tell. */
function awaits(status: Asked['status'], number: bigint): boolean {
  if (isRange(status)) return number === status.last + 1n;
  return status === 'unknown' || (status === 'empty' && number === 0n);
}

/** Why a node that is well does not serve a block; null when it is not there yet. */
function lackOf(status: NodeStatus, number: bigint): string | null {
  return isRange(status) && number < status.first
    ? `has only blocks ${status.first} to ${status.last}`
    : null;
}

function isRange(status: Asked['status']): status is Exclude<NodeStatus, string> {
  return typeof status === 'object' && !(status instanceof BlockNodeError);
}

/** How a node has served so far; times are milliseconds since the epoch. */
export interface NodeStanding {
  /** Failures since the last block of it that was accepted. */
  readonly errors: number;
  readonly failedAt: number;
  /** How long it is left in peace after the failure. */
  readonly delayMs: number;
  /** Only asked before this time when no other node has the block. */
  readonly asideUntil: number;
  /** What was wrong last; null when nothing is. */
  readonly trouble: { readonly fault: BlockNodeFault /** For people. */; readonly text: string } | null;
}

export const FRESH: NodeStanding = { errors: 0, failedAt: 0, delayMs: 0, asideUntil: 0, trouble: null };

const BACK_OFF: BackOff = { firstMs: 500, longestMs: 60_000 };
/** How long a node that failed is not believed while another one is followed. */
const DOUBT: BackOff = { firstMs: 120_000, longestMs: 600_000 };
/** While nothing else has the block: what is wrong is found to be over within ten seconds. */
const LONELY_DELAY_MS = 8_000;
const MAX_ERRORS = 3;
const READMIT_MS = 60_000;
const BAD_BLOCK_MS = 600_000;

/**
 * After a failure: left in peace for 0.5 s, doubling to 60 s; set aside for a minute by the third in a row.
 *
 * @param jitter from 0 to below 1
 * @see contracts/streams.md section 17.5
 */
export function afterFailure(
  before: NodeStanding,
  trouble: NonNullable<NodeStanding['trouble']>,
  now: number,
  jitter: number,
): NodeStanding {
  const errors = before.errors + 1;
  const aside = errors >= MAX_ERRORS ? now + READMIT_MS : 0;
  return {
    errors,
    trouble,
    failedAt: now,
    delayMs: backOffMs(errors, BACK_OFF, () => jitter),
    asideUntil: Math.max(before.asideUntil, aside),
  };
}

/** After a block that was refused: as after a failure, and set aside for ten minutes. */
export function afterBadBlock(
  before: NodeStanding,
  trouble: NonNullable<NodeStanding['trouble']>,
  now: number,
  jitter: number,
): NodeStanding {
  return { ...afterFailure(before, trouble, now, jitter), asideUntil: now + BAD_BLOCK_MS };
}

/** When a node is asked next: by itself, or because no other node has the block. */
export function askedFrom(standing: NodeStanding, isLonely: boolean): number {
  const { asideUntil, delayMs, failedAt } = standing;
  return isLonely ? failedAt + Math.min(delayMs, LONELY_DELAY_MS) : Math.max(asideUntil, failedAt + delayMs);
}
