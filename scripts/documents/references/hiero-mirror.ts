import { absent, partly, type Reference, served } from './reference.ts';

const NO_EVM = 'returns 501: it needs an EVM over the state of the ledger, which is not part of this server';
const ACCOUNT = '/api/v1/accounts/{idOrAliasOrEvmAddress}';

export const HIERO_MIRROR: Reference = {
  name: 'Hiero mirror node',
  documents: 'https://github.com/hiero-ledger/hiero-mirror-node',
  // rest/api/v1/openapi.yml, commit 7cf0978; hooks, registered nodes and fee estimates came after that version and are
  // listed as the interface specification of this server has them. gRPC: the proto files of the reference.
  version: '0.141.0 of its OpenAPI document, and what later versions added',
  groups: [
    {
      name: 'accounts',
      endpoints: [
        served('GET', '/api/v1/accounts'),
        served('GET', ACCOUNT),
        served('GET', `${ACCOUNT}/airdrops/outstanding`),
        served('GET', `${ACCOUNT}/airdrops/pending`),
        served('GET', `${ACCOUNT}/allowances/crypto`),
        served('GET', `${ACCOUNT}/allowances/nfts`),
        served('GET', `${ACCOUNT}/allowances/tokens`),
        served('GET', `${ACCOUNT}/hooks`),
        served('GET', `${ACCOUNT}/hooks/{hookId}/storage`),
        served('GET', `${ACCOUNT}/nfts`),
        served('GET', `${ACCOUNT}/rewards`),
        served('GET', `${ACCOUNT}/tokens`),
      ],
    },
    {
      name: 'balances and blocks',
      endpoints: [
        served('GET', '/api/v1/balances'),
        served('GET', '/api/v1/blocks'),
        served('GET', '/api/v1/blocks/{hashOrNumber}'),
      ],
    },
    {
      name: 'contracts',
      missing: 'opcodes, `POST contracts/call`',
      endpoints: [
        served('GET', '/api/v1/contracts'),
        served('GET', '/api/v1/contracts/{contractIdOrAddress}'),
        served('GET', '/api/v1/contracts/{contractIdOrAddress}/results'),
        served('GET', '/api/v1/contracts/{contractIdOrAddress}/results/{timestamp}'),
        served('GET', '/api/v1/contracts/{contractIdOrAddress}/results/logs'),
        served('GET', '/api/v1/contracts/{contractIdOrAddress}/state'),
        served('GET', '/api/v1/contracts/results'),
        served('GET', '/api/v1/contracts/results/{transactionIdOrHash}'),
        served('GET', '/api/v1/contracts/results/{transactionIdOrHash}/actions'),
        partly('GET', '/api/v1/contracts/results/{transactionIdOrHash}/opcodes', NO_EVM),
        served('GET', '/api/v1/contracts/results/logs'),
        partly('POST', '/api/v1/contracts/call', NO_EVM),
      ],
    },
    {
      name: 'network',
      endpoints: [
        served('GET', '/api/v1/network/exchangerate'),
        served('GET POST', '/api/v1/network/fees'),
        served('GET', '/api/v1/network/nodes'),
        served('GET', '/api/v1/network/registered-nodes'),
        served('GET', '/api/v1/network/stake'),
        served('GET', '/api/v1/network/supply'),
      ],
    },
    {
      name: 'schedules',
      endpoints: [served('GET', '/api/v1/schedules'), served('GET', '/api/v1/schedules/{scheduleId}')],
    },
    {
      name: 'tokens',
      endpoints: [
        served('GET', '/api/v1/tokens'),
        served('GET', '/api/v1/tokens/{tokenId}'),
        served('GET', '/api/v1/tokens/{tokenId}/balances'),
        served('GET', '/api/v1/tokens/{tokenId}/nfts'),
        served('GET', '/api/v1/tokens/{tokenId}/nfts/{serialNumber}'),
        served('GET', '/api/v1/tokens/{tokenId}/nfts/{serialNumber}/transactions'),
      ],
    },
    {
      name: 'topics',
      endpoints: [
        served('GET', '/api/v1/topics/{topicId}'),
        served('GET', '/api/v1/topics/{topicId}/messages'),
        served('GET', '/api/v1/topics/{topicId}/messages/{sequenceNumber}'),
        served('GET', '/api/v1/topics/messages/{timestamp}'),
      ],
    },
    {
      name: 'transactions',
      endpoints: [served('GET', '/api/v1/transactions'), served('GET', '/api/v1/transactions/{idOrHash}')],
    },
    {
      name: 'gRPC',
      missing: 'all: HTTP only',
      endpoints: [
        absent('gRPC', 'ConsensusService/subscribeTopic', 'HTTP only: use `topics/{id}/messages`'),
        absent('gRPC', 'NetworkService/getNodes', 'HTTP only: use `network/nodes`'),
      ],
    },
  ],
};
