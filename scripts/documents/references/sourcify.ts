import { absent, partly, type Reference, served } from './reference.ts';

const SESSIONS = 'browser sessions of the retired web form; each submission is complete here';

export const SOURCIFY: Reference = {
  name: 'Sourcify server',
  documents: 'https://docs.sourcify.dev/docs/api/',
  // services/server/src/openapi.yaml, apiv2.yaml and signature-database.yaml of argotorg/sourcify, commits 0003cb9 and 0d33320.
  version: '2.1.0 of its OpenAPI document',
  groups: [
    {
      name: 'version 2',
      missing: 'imports from Etherscan: the server never fetches sources on its own',
      endpoints: [
        served('POST', '/v2/verify/{chainId}/{address}'),
        served('POST', '/v2/verify/metadata/{chainId}/{address}'),
        served('POST', '/v2/verify/similarity/{chainId}/{address}'),
        partly(
          'POST',
          '/v2/verify/etherscan/{chainId}/{address}',
          'returns an error that the chain has no explorer to import from: the server never fetches sources on its own',
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
        served('GET', '/verify-ui'),
        served('GET', '/verify-ui/jobs/{verificationId}'),
        served('GET', '/repo-ui'),
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
        absent('POST', '/verify/etherscan', 'the server never fetches sources on its own'),
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
        absent('GET', '/session/data', SESSIONS),
        absent('POST', '/session/clear', SESSIONS),
        absent('POST', '/session/input-files', SESSIONS),
        absent('POST', '/session/input-contract', SESSIONS),
        absent('POST', '/session/input-solc-json', SESSIONS),
        absent('POST', '/session/verify-checked', SESSIONS),
        absent('POST', '/session/verify/etherscan', SESSIONS),
      ],
    },
    {
      name: 'signature database',
      endpoints: [
        served('GET', '/signature-database/v1/lookup'),
        served('GET', '/signature-database/v1/search'),
        served('GET', '/signature-database/v1/stats'),
      ],
    },
    {
      name: 'operator functions',
      missing: 'all: the operator has commands and variables instead',
      endpoints: [
        absent('POST', '/private/verify-deprecated', 'nothing is stored that a chain did not confirm'),
        absent('POST', '/private/replace-contract', 'submitting it again replaces a lesser match'),
        absent('POST', '/private/change-log-level', 'set `LOG_LEVEL` and restart the server'),
      ],
    },
  ],
};
