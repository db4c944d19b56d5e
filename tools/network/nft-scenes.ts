import { NFT_TOKEN } from './script-context.ts';
import type { Scene } from './transfer-scenes.ts';

export const mintNft: Scene = (context, at) => {
  const event = context.base(at, {});
  const token = context.token(NFT_TOKEN);
  const serialNumber = context.nfts.mintFor(event.payer);
  const nftTransfers = [{ receiverAccountID: context.account(event.payer), serialNumber }];
  return [
    {
      ...event,
      data: { tokenMint: { token, metadata: [context.random.bytes(46)] } },
      receipt: { serialNumbers: [serialNumber], newTotalSupply: serialNumber },
      record: { tokenTransferLists: [{ token, nftTransfers }] },
    },
  ];
};

/** By the one who has it; before there is any, one is minted instead. */
export const nftTransfer: Scene = (context, at) => {
  const nft = context.nfts.draw();
  if (nft === null) return mintNft(context, at);
  const event = { ...context.base(at, {}), payer: nft.owner };
  const receiver = context.other(nft.owner);
  const moved = {
    senderAccountID: context.account(nft.owner),
    receiverAccountID: context.account(receiver),
    serialNumber: nft.serial,
  };
  context.nfts.give(nft.serial, receiver);
  const tokenTransferLists = [{ token: context.token(NFT_TOKEN), nftTransfers: [moved] }];
  return [
    {
      ...event,
      data: { cryptoTransfer: { tokenTransfers: tokenTransferLists } },
      record: { tokenTransferLists },
    },
  ];
};
