import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { type MainThread, mainThreadOf } from '../support/main-thread.ts';
import { type ServeOptions, type ServeProcess, startServe } from '../support/serve-process.ts';
import { putContracts } from './contracts.ts';
import { putLedger } from './ledger.ts';
import { takePrecedence } from './precedence.ts';

/** What an attacked server may have: a machine of half a gigabyte. */
const HEAP = '--max-old-space-size=512';
const TURN_RECORDER = new URL('./turn-recorder.mjs', import.meta.url).href;

export const TOKEN = createStatusToken('attack', 'write', (count) => new Uint8Array(count).fill(7));

/** The built executable with a small heap, a ledger, a chain of contracts and a folder of its own. */
export interface AttackedServer extends ServeProcess {
  /** Holds the database `l.sqlite`. */
  readonly folder: string;
  readonly database: string;
  /** Most memory that the process ever had, MiB. */
  peakMiB(): number;
  /** Memory that it has now, MiB. */
  memoryMiB(): number;
  /** How many descriptors it has open: connections, and a few of its own. */
  descriptors(): number;
  /** What the main thread did since the start: ran, and was ready to run while others had the processors. */
  mainThread(): MainThread;
  /** Longest turn of its event loop since a time (milliseconds since the epoch); 0 when none had 10 ms. */
  longestTurnMs(since: number): number;
  /** How the process ended, for the message of an assertion; null while it runs. */
  end(): string | null;
  /** Ends it by force and removes its folder. */
  remove(): Promise<void>;
}

export interface AttackedServerSettings extends ServeOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Beside the chain of given contracts, in the form of `VERIFY_CHAINS`. */
  readonly chains?: Readonly<Record<string, unknown>>;
  /** On the chain of given contracts. Default 4,000, which take 16 MB of the heap. */
  readonly contracts?: number;
  /** An existing folder, for example of a server that ended; the caller removes it. */
  readonly folder?: string;
}

/** Whatever becomes of a test, its servers end with it. */
const children = new Set<ServeProcess['child']>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts it and waits until it is live. */
export async function startAttacked(settings: AttackedServerSettings = {}): Promise<AttackedServer> {
  const folder = settings.folder ?? mkdtempSync(join(tmpdir(), 'ledgerlens-attack-'));
  const database = join(folder, 'l.sqlite');
  const turns = join(folder, 'turns');
  const { contracts, nodeArguments = [], env, ...options } = settings;
  const serve = await startServe(
    {
      DATABASE_URL: `sqlite:${database}`,
      VERIFY_CHAINS_FILE: putContracts(folder, settings.chains, contracts),
      VERIFY_FIRST_POLL_MS: '0',
      MIRROR_IMPORT: putLedger(folder),
      STATUS_TOKENS: TOKEN.line,
      ATTACK_TURNS: turns,
      ...env,
    },
    folder,
    { nodeArguments: [HEAP, '--import', TURN_RECORDER, ...nodeArguments], ...options },
  );
  const { pid } = serve.child;
  children.add(serve.child);
  takePrecedence(pid);
  serve.child.once('exit', () => children.delete(serve.child));
  const memory = (name: string) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024);
  };
  return {
    ...serve,
    folder,
    database,
    peakMiB: () => memory('VmHWM'),
    memoryMiB: () => memory('VmRSS'),
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    mainThread: () => mainThreadOf(pid) ?? { ranMs: 0, waitedMs: 0 },
    longestTurnMs(since) {
      const lines = readFileSync(turns, 'utf8').split('\n');
      return lines.reduce((longest, line) => {
        const [endedAt = 0, ms = 0] = line.split(' ').map(Number);
        return endedAt >= since ? Math.max(longest, ms) : longest;
      }, 0);
    },
    end() {
      const { exitCode, signalCode } = serve.child;
      return exitCode === null && signalCode === null
        ? null
        : `${exitCode ?? signalCode}: ${serve.log().slice(-2000)}`;
    },
    async remove() {
      await serve.stop('SIGKILL');
      if (settings.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
