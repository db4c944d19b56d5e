import type { ErrorMapper } from '../http/area.ts';
import type { BodyBudget } from '../http/bodies/body-budget.ts';
import type { BodyIntake } from '../http/bodies/body-intake.ts';
import type { Site } from '../pages/site/site-page.ts';
import type { Clock } from '../values/clock.ts';
import type { LargeBodies } from './bodies/prepared-body.ts';
import type { ChainSettings } from './chain/chain-config.ts';
import type { CompilerStock } from './compile/supply/compiler-management.ts';
import type { ResponseMemoryBudget } from './contracts/look-up-contract.ts';
import type { ScanScheduler } from './contracts/scan-scheduler.ts';
import type { FindOriginalSettings } from './mismatch/metadata-settings.ts';
import type { ProxyResolver } from './proxy/proxy-resolver.ts';
import type { VerifySettings } from './verify-options.ts';
import type { VerifyService } from './verify-service.ts';
import type { VerifyRepositories } from './verify-store.ts';

/** What routes and pages of the area answer from. */
export interface VerifyContext extends VerifyRepositories {
  readonly bodies: BodyIntake;
  /** Largest body, before and after unpacking: `MAX_BODY_BYTES`, or what a small heap can compile. */
  readonly maxBodyBytes: number;
  /** Works on bodies above 64 KiB. */
  readonly largeBodies: LargeBodies;
  /** Heap for bodies that were parsed in this thread, until their handlers end. */
  readonly parsedRoom: BodyBudget;
  readonly service: VerifyService;
  readonly chains: readonly ChainSettings[];
  readonly proxies: ProxyResolver;
  readonly lookUpRoom: ResponseMemoryBudget;
  readonly scanTurns: ScanScheduler;
  readonly stock: CompilerStock;
  /** Finds the settings that a code on chain was compiled with. */
  readonly findOriginalSettings: FindOriginalSettings;
  readonly errors: ErrorMapper;
  readonly clock: Clock;
  /** What `GET /version` says; the commit is `unknown` when it is not built in. */
  readonly build: { readonly version: string; readonly gitCommit: string };
  /** Where clients reach the server; `root` has no trailing slash. */
  readonly site: Site;
  readonly options: VerifySettings;
}
