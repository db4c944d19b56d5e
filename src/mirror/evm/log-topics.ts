/** First topics of the events of tokens: Keccak-256 of their signatures. */
export const EVENT = {
  /** `Transfer(address,address,uint256)` */
  transfer: topic('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'),
  /** `Approval(address,address,uint256)` */
  approval: topic('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'),
  /** `ApprovalForAll(address,address,bool)` */
  approvalForAll: topic('17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'),
} as const;

function topic(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
