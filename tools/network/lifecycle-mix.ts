import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import {
  changeAccount,
  closeVisitor,
  completeHollow,
  openAccount,
  openHollow,
  openVisitor,
  rewardedTransfer,
} from './account-life.ts';
import { airdropTokens, cancelAirdrop, claimAirdrop, rejectToken } from './airdrop-life.ts';
import { approve, approveNfts, revokeNft, spendApproval, spendNftApproval } from './allowance-life.ts';
import { contractCall, ethereumCall } from './contract-scenes.ts';
import { type Weighted, weightedDraw } from './draw-weighted.ts';
import { moveNft, moveUnits } from './holder-life.ts';
import type { LedgerEvent } from './ledger-item.ts';
import type { LedgerWorld, WorldScene } from './ledger-world.ts';
import { associate, changeKyc, dissociate, dissociateDeleted, freeze } from './relation-life.ts';
import { createSchedule, deleteSchedule, executeSchedule, signSchedule } from './schedule-life.ts';
import { batch, messageToNowhere, randomNumber } from './service-scenes.ts';
import { burn, changeMetadata, mint, wipe } from './supply-life.ts';
import {
  changeFees,
  changeTreasury,
  createToken,
  deleteToken,
  pauseToken,
  updateToken,
} from './token-life.ts';
import { changeTopic, closeTopic, openTopic, submitMessage } from './topic-life.ts';
import { type Scene, transfer } from './transfer-scenes.ts';

/** Scenes that need to know nothing of the world. */
const plain =
  (scene: Scene): WorldScene =>
  ({ context }, at) =>
    scene(context, at);

/** How often each is drawn, against the others. */
const LIFECYCLES: Weighted<WorldScene> = [
  [120, plain(transfer)],
  [110, submitMessage],
  [110, moveUnits],
  [70, moveNft],
  [60, mint],
  [50, associate],
  [40, airdropTokens],
  [40, approve],
  [40, spendApproval],
  [30, openAccount],
  [30, changeKyc],
  [20, approveNfts],
  [20, spendNftApproval],
  [20, createSchedule],
  [20, signSchedule],
  [20, plain(contractCall)],
  [15, rewardedTransfer],
  [15, executeSchedule],
  [15, changeAccount],
  [15, claimAirdrop],
  [15, freeze],
  [15, wipe],
  [15, burn],
  [10, createToken],
  [10, cancelAirdrop],
  [10, rejectToken],
  [10, dissociate],
  [10, openVisitor],
  [10, changeMetadata],
  [10, plain(ethereumCall)],
  [8, updateToken],
  [8, pauseToken],
  [8, revokeNft],
  [8, closeVisitor],
  [8, changeFees],
  [6, changeTreasury],
  [6, openHollow],
  [6, completeHollow],
  [6, openTopic],
  [6, changeTopic],
  [6, dissociateDeleted],
  [5, deleteSchedule],
  [4, plain(batch)],
  [3, deleteToken],
  [3, closeTopic],
  [2, plain(messageToNowhere)],
  [2, plain(randomNumber)],
];

/** What has to be there before anything can happen. */
const FIRST: readonly WorldScene[] = [
  ...Array.from({ length: 8 }, () => openAccount),
  ...Array.from({ length: 4 }, () => createToken),
  openTopic,
];
const drawLifecycle = weightedDraw(LIFECYCLES);

/** Draws what happens next; what nobody can do now is drawn again. */
export function createLifecycles(world: LedgerWorld): (at: ConsensusTimestamp) => readonly LedgerEvent[] {
  let begun = 0;
  return (at) => {
    for (;;) {
      const events = (FIRST[begun++] ?? drawLifecycle(world.random))(world, at);
      if (events.length > 0) return events;
    }
  };
}
