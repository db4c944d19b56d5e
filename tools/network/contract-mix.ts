import type { WrittenContract } from './contract-events.ts';
import { contractCall, ethereumCall } from './contract-scenes.ts';
import { type Weighted, weightedDraw } from './draw-weighted.ts';
import { type Scene, tokenTransfer, transfer } from './transfer-scenes.ts';

/** Scenes of a network whose users call contracts above all, of a hundred. */
const MIX: Weighted<Scene> = [
  [40, contractCall],
  [30, ethereumCall],
  [20, transfer],
  [10, tokenTransfer],
];
const CONTRACTS = 250;
/** `PUSH1 1 PUSH1 0 RETURN`, and what it returns. */
const [CREATION_CODE, RUNTIME_CODE] = [Uint8Array.of(0x60, 1, 0x60, 0, 0xf3), Uint8Array.of(0)];

/** Draws the next scene. */
export const drawContractScene = weightedDraw(MIX);

/** What a call logs. */
export const MIX_LOGS = 3;

/** The contracts that the mix calls where no others are given. */
export const MIX_CONTRACTS: readonly WrittenContract[] = Array.from({ length: CONTRACTS }, () => ({
  by: 'body',
  creationCode: CREATION_CODE,
  runtimeCode: RUNTIME_CODE,
}));
