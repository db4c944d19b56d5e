import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { findNft } from './find-nft.ts';
import { type AccountNftDependencies, listAccountNfts } from './list-account-nfts.ts';
import { listNftTransactions } from './list-nft-transactions.ts';
import { listTokenNfts } from './list-token-nfts.ts';
import {
  AccountNftPath,
  AccountNftQuery,
  NftAnswer,
  NftListAnswer,
  NftPath,
  NftTransactionListAnswer,
  NftTransactionQuery,
  TokenNftPath,
  TokenNftQuery,
} from './schemas.ts';

interface NftParams {
  readonly tokenId: string;
  readonly serialNumber: string;
}

/** The NFTs of an account and of a token, one NFT, and its transactions. @see contracts/mirror-entities.md sections 4 and 7 */
export function nftRoutes(dependencies: AccountNftDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress/nfts',
      {
        schema: {
          ...documented('NFTs of an account', { query: AccountNftQuery, answer: NftListAnswer }),
          params: AccountNftPath,
        },
      },
      async (request, reply) => {
        const { idOrAliasOrEvmAddress } = request.params;
        const page = await listAccountNfts(idOrAliasOrEvmAddress, targetOf(request), dependencies);
        return sendReady(request, reply, { body: page.json, next: page.next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: { tokenId: string } }>(
      '/api/v1/tokens/:tokenId/nfts',
      {
        schema: {
          ...documented('NFTs of a token', { query: TokenNftQuery, answer: NftListAnswer }),
          params: TokenNftPath,
        },
      },
      async (request, reply) => {
        const page = await listTokenNfts(request.params.tokenId, targetOf(request), dependencies);
        return sendReady(request, reply, { body: page.json, next: page.next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: NftParams }>(
      '/api/v1/tokens/:tokenId/nfts/:serialNumber',
      {
        schema: { ...documented('One NFT', { query: Type.Object({}), answer: NftAnswer }), params: NftPath },
      },
      async (request, reply) => {
        const body = await findNft(request.params, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: STATE_SECONDS });
      },
    );

    const transactions = documented('Transactions of an NFT', {
      query: NftTransactionQuery,
      answer: NftTransactionListAnswer,
    });
    app.get<{ Params: NftParams }>(
      '/api/v1/tokens/:tokenId/nfts/:serialNumber/transactions',
      {
        schema: {
          ...transactions,
          params: NftPath,
          // The NFT was minted before the imported part of the ledger.
          response: { ...transactions.response, 206: NftTransactionListAnswer },
        },
      },
      async (request, reply) => {
        const page = await listNftTransactions(request.params, targetOf(request), dependencies);
        if (!page.isWhole) reply.code(206);
        return sendReady(request, reply, { body: page.json, next: page.next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
