import { contractCall, ethereumCall, tokenCall } from './contract-scenes.ts';
import { type Weighted, weightedDraw } from './draw-weighted.ts';
import { mintNft, nftTransfer } from './nft-scenes.ts';
import {
  approveAllowance,
  associateToken,
  batch,
  createToken,
  createTopic,
  message,
  messageToNowhere,
  randomNumber,
  updateAccount,
} from './service-scenes.ts';
import {
  airdrop,
  createAccount,
  hollowAccount,
  type Scene,
  scheduledTransfer,
  tokenTransfer,
  transfer,
} from './transfer-scenes.ts';

/** Scenes of a public network's day; the numbers are how many of a thousand are of the kind. */
const MIX: Weighted<Scene> = [
  [370, transfer],
  [245, message],
  [140, tokenTransfer],
  [50, nftTransfer],
  [45, contractCall],
  [15, tokenCall],
  [30, createAccount],
  [25, ethereumCall],
  [15, mintNft],
  [15, associateToken],
  [10, airdrop],
  [8, hollowAccount],
  [8, scheduledTransfer],
  [8, approveAllowance],
  [6, updateAccount],
  [4, batch],
  [2, createTopic],
  [2, createToken],
  [1, messageToNowhere],
  [2, randomNumber],
];

/** Draws the next scene. */
export const drawEveryday = weightedDraw(MIX);
