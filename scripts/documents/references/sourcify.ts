import { absent, partly, type Reference, served } from './reference.ts';

const SESSIONS = 'browser sessions of the retired web form; each submission is complete here';

export const SOURCIFY: Reference = {
  name: 'Sourcify server',
  documents: 'https://docs.sourcify.dev/docs/api/',
  readOn: 'August 2026',
  groups: [
    {
      name: 'version 2',
      missing: 'imports from Etherscan: the server asks nobody for sources by itself',
      endpoints: [
        served('POST', '/v2/verify/{chainId}/{address}'),
        served('POST', '/v2/verify/metadata/{chainId}/{address}'),
        served('POST', '/v2/verify/similarity/{chainId}/{address}'),
        partly(
          'POST',
          '/v2/verify/etherscan/{chainId}/{address}',
          'answers that the chain has no explorer to import from: the server asks nobody for sources by itself',
        ),
        served('GET', '/v2/verify/{verificationId}'),
        served('GET', '/v2/contract/{chainId}/{address}'),
        served('GET', '/v2/contract/all-chains/{address}'),
        served('GET', '/v2/contracts/{chainId}'),
      ],
    },
    {
      name: 'information',
      endpoints: [served('GET', '/chains'), served('GET', '/health'), served('GET', '/version')],
    },
    {
      name: 'links for people',
      endpoints: [
        served('GET', '/verify-ui/jobs/{verificationId}'),
        served('GET', '/repo-ui/{chainId}/{address}'),
      ],
    },
    {
      name: 'version 1',
      missing: 'imports from Etherscan, browser sessions',
      endpoints: [
        served('POST', '/verify'),
        served('POST', '/verify/solc-json'),
        served('POST', '/verify/vyper'),
        absent('POST', '/verify/etherscan', 'the server asks nobody for sources by itself'),
        served('GET', '/check-by-addresses'),
        served('GET', '/check-all-by-addresses'),
        served('GET', '/files/any/{chain}/{address}'),
        served('GET', '/files/tree/any/{chain}/{address}'),
        served('GET', '/files/tree/{chain}/{address}'),
        served('GET', '/files/{chain}/{address}'),
        served('GET', '/files/contracts/{chain}'),
        served('GET', '/files/contracts/any/{chain}'),
        served('GET', '/files/contracts/full/{chain}'),
        served('GET', '/files/contracts/partial/{chain}'),
        served('GET', '/repository/contracts/{match}/{chain}/{address}/{filePath}'),
        absent('GET POST', '/session/{*}', SESSIONS),
      ],
    },
    {
      name: 'signature database',
      missing: 'imports of signatures from elsewhere',
      endpoints: [
        served('GET', '/signature-database/v1/lookup'),
        served('GET', '/signature-database/v1/search'),
        served('GET', '/signature-database/v1/stats'),
        absent('POST', '/signature-database/v1/import', 'signatures come from verified contracts alone'),
      ],
    },
    {
      name: 'operator functions',
      missing: 'all: the operator has commands instead',
      endpoints: [absent('POST', '/private/{*}', 'the commands of the server do what its operator needs')],
    },
  ],
};
