import { decodeUnit } from '../../../src/mirror/ingest/decode/decode-unit.ts';
import { emptyLookup } from '../../../src/mirror/ingest/decode/known-entities.ts';
import { fixtureUnit } from '../../../src/mirror/ledger/fixture-unit.ts';
import type { RegisteredEndpoint } from '../../../src/mirror/ledger/registered-endpoint.ts';
import type { LedgerUnit } from '../../../src/mirror/ledger/rows.ts';
import { RESULT } from '../../../src/mirror/vocabulary/response-codes.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { ledgerItem } from '../../../tools/network/ledger-item.ts';
import { networkState } from '../../kit/mirror/seed-fixtures.ts';
import { statedCall } from './stated-call.ts';

/** Later than the generated ledger. */
const START = 1_890_000_000_000_000_000n;
const ACCOUNT = { accountNum: 1001n };
const KEY = { ed25519: new Uint8Array(32).fill(7) };

const NO_SERVICE: RegisteredEndpoint = {
  service: 'mirror_node',
  domainName: 'm.example',
  ipAddress: null,
  port: 443,
  requiresTls: true,
  apis: [],
  description: null,
};
const ENDPOINTS: readonly RegisteredEndpoint[] = [
  { ...NO_SERVICE, service: 'block_node', apis: [2] },
  NO_SERVICE,
  { ...NO_SERVICE, service: 'rpc_relay' },
  { ...NO_SERVICE, service: 'general_service', description: 'faucet' },
];

/** What the generated ledger does not have: the network's files and stakes, registered nodes, hooks. */
export async function statedUnits(): Promise<readonly LedgerUnit[]> {
  const nodes = fixtureUnit('registered nodes', {
    registeredNodes: [
      {
        registeredNodeId: 1n,
        consensusTimestamp: consensusTimestamp(START + 1n),
        isDeleted: false,
        isCreated: true,
        adminKey: Buffer.from(`1220${'07'.repeat(32)}`, 'hex'),
        description: 'node 1',
        endpoints: ENDPOINTS,
      },
    ],
  });
  const items = [
    ledgerItem(
      {
        consensus: consensusTimestamp(START + 10n),
        validStart: consensusTimestamp(START),
        payer: 2n,
        data: {
          cryptoCreateAccount: {
            hookCreationDetails: [
              {
                hookId: 1n,
                adminKey: KEY,
                evmHook: {
                  spec: { contractId: { contractNum: 2001n } },
                  storageUpdates: [{ storageSlot: { key: Uint8Array.of(1), value: Uint8Array.of(5) } }],
                },
              },
            ],
          },
        },
        receipt: { accountID: ACCOUNT },
        status: RESULT.SUCCESS,
        fee: 0n,
        node: 3n,
      },
      { shard: 0n, realm: 0n },
    ),
  ];
  const hooks = fixtureUnit('hooks', await decodeUnit(items, 'hooks.rcd', emptyLookup));
  return [
    fixtureUnit('network', networkState()),
    nodes,
    hooks,
    fixtureUnit('contract results', statedCall()),
  ];
}
