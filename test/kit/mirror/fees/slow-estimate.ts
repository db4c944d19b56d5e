import type { MessageObject, MessageValue } from '../../../../src/mirror/protobuf/messages.ts';

/**
 * A second, slow estimator for the differential test.
 *
 * It follows the text of the contract and shares no line with the product: it never sees bytes, it looks at the object
 * that a transaction was encoded from, and searches the schedule in its JSON spelling from the start every time.
 *
 * @see contracts/fees-estimate.md sections 3 to 7
 */
export interface SlowRequest {
  /** The member of the `data` choice that is set, for example `cryptoTransfer`. */
  readonly member: string;
  readonly body: MessageObject;
  readonly bytes: number;
  readonly signatures: number;
  readonly mode: 'INTRINSIC' | 'STATE';
  readonly throttle: number;
}

/** What the mirror knows of tokens and topics, by printed id; anything else is unknown. */
export interface SlowState {
  readonly tokens: Readonly<Record<string, { readonly nft: boolean; readonly customFees: boolean }>>;
  readonly topics: Readonly<Record<string, { readonly customFees: boolean }>>;
}

/** The members of a schedule that have a price, in the spelling of the genesis file. */
export interface SlowSchedule {
  readonly node: { readonly baseFee: number; readonly extras?: readonly SlowReference[] };
  readonly network: { readonly multiplier: number };
  readonly extras: readonly { readonly name: string; readonly fee: number }[];
  readonly services: readonly { readonly name: string; readonly schedule: readonly SlowDefinition[] }[];
}

interface SlowReference {
  readonly name: string;
  readonly includedCount?: number;
}

interface SlowDefinition {
  readonly name: string;
  readonly baseFee?: number;
  readonly extras?: readonly SlowReference[];
  readonly nodeNetworkFeeExempt?: boolean;
  readonly highVolumeRates?: {
    readonly maxMultiplier?: number;
    readonly pricingCurve?: {
      readonly piecewiseLinear?: {
        readonly points?: readonly {
          readonly utilizationBasisPoints?: number;
          readonly multiplier?: number;
        }[];
      };
    };
  };
}

/** The answer's numbers, or the detail of a 400. `missing` is the entity that caused a fallback. */
export type SlowAnswer =
  | { readonly detail: string }
  | { readonly estimate: unknown; readonly missing: string | null };

/** Section 5: which definition prices which member. */
const FUNCTIONALITIES: Readonly<Record<string, string>> = {
  cryptoCreateAccount: 'CryptoCreate',
  cryptoUpdateAccount: 'CryptoUpdate',
  cryptoDelete: 'CryptoDelete',
  cryptoTransfer: 'CryptoTransfer',
  cryptoApproveAllowance: 'CryptoApproveAllowance',
  cryptoDeleteAllowance: 'CryptoDeleteAllowance',
  consensusCreateTopic: 'ConsensusCreateTopic',
  consensusUpdateTopic: 'ConsensusUpdateTopic',
  consensusDeleteTopic: 'ConsensusDeleteTopic',
  consensusSubmitMessage: 'ConsensusSubmitMessage',
  fileCreate: 'FileCreate',
  fileUpdate: 'FileUpdate',
  fileAppend: 'FileAppend',
  fileDelete: 'FileDelete',
  systemDelete: 'SystemDelete',
  systemUndelete: 'SystemUndelete',
  tokenCreation: 'TokenCreate',
  tokenUpdate: 'TokenUpdate',
  tokenUpdateNfts: 'TokenUpdateNfts',
  tokenMint: 'TokenMint',
  tokenAssociate: 'TokenAssociateToAccount',
  tokenDissociate: 'TokenDissociateFromAccount',
  tokenAirdrop: 'TokenAirdrop',
  tokenClaimAirdrop: 'TokenClaimAirdrop',
  tokenCancelAirdrop: 'TokenCancelAirdrop',
  tokenBurn: 'TokenBurn',
  tokenDeletion: 'TokenDelete',
  tokenFreeze: 'TokenFreezeAccount',
  tokenUnfreeze: 'TokenUnfreezeAccount',
  tokenPause: 'TokenPause',
  tokenUnpause: 'TokenUnpause',
  tokenGrantKyc: 'TokenGrantKycToAccount',
  tokenRevokeKyc: 'TokenRevokeKycFromAccount',
  tokenReject: 'TokenReject',
  tokenWipe: 'TokenAccountWipe',
  tokenFeeScheduleUpdate: 'TokenFeeScheduleUpdate',
  scheduleCreate: 'ScheduleCreate',
  scheduleSign: 'ScheduleSign',
  scheduleDelete: 'ScheduleDelete',
  contractCreateInstance: 'ContractCreate',
  contractUpdateInstance: 'ContractUpdate',
  contractDeleteInstance: 'ContractDelete',
  contractCall: 'ContractCall',
  ethereumTransaction: 'EthereumTransaction',
  hookStore: 'HookStore',
  utilPrng: 'UtilPrng',
  atomicBatch: 'AtomicBatch',
  nodeCreate: 'NodeCreate',
  nodeUpdate: 'NodeUpdate',
  nodeDelete: 'NodeDelete',
  registeredNodeCreate: 'RegisteredNodeCreate',
  registeredNodeUpdate: 'RegisteredNodeUpdate',
  registeredNodeDelete: 'RegisteredNodeDelete',
};

/** Section 6, in its order. */
const HIGH_VOLUME =
  'CryptoCreate ConsensusCreateTopic ScheduleCreate CryptoApproveAllowance FileCreate FileAppend ContractCreate HookStore TokenAssociateToAccount TokenAirdrop TokenClaimAirdrop TokenMint TokenCreate'.split(
    ' ',
  );

const TOKEN_KEYS = 'adminKey feeScheduleKey freezeKey kycKey metadataKey pauseKey supplyKey wipeKey'.split(
  ' ',
);

/** Estimates by the letter of the contract. */
export function slowEstimate(request: SlowRequest, state: SlowState, schedule: SlowSchedule): SlowAnswer {
  const functionality = FUNCTIONALITIES[request.member];
  const own = functionality === undefined ? undefined : definitionOf(schedule, functionality);
  const tooMuch = brokenLimit(request);
  if (tooMuch !== undefined) return { detail: tooMuch };
  if (functionality === undefined || own === undefined) return { detail: 'Unknown transaction type' };

  const missing = request.mode === 'STATE' ? missingEntity(request, state) : null;
  const known = request.mode === 'STATE' && missing === null ? state : null;
  const priced = functionality === 'TokenAirdrop' ? definitionOf(schedule, 'CryptoTransfer') : own;
  if (priced === undefined) return { detail: 'Unknown transaction type' };

  const raw =
    known !== null && request.body['highVolume'] === true && HIGH_VOLUME.includes(functionality)
      ? rawMultiplier(own, request.throttle)
      : 1000n;
  const isSystem = request.member === 'systemDelete' || request.member === 'systemUndelete';
  const exempt = isSystem || priced.nodeNetworkFeeExempt === true;
  const node = charge(schedule, raw, {
    base: exempt ? 0 : schedule.node.baseFee,
    allowed: exempt ? [] : (schedule.node.extras ?? []),
    counts: (exempt ? [] : (schedule.node.extras ?? [])).map(({ name }) => [
      name,
      name === 'SIGNATURES' ? request.signatures : name === 'PROCESSING_BYTES' ? request.bytes : 0,
    ]),
  });
  const service = charge(schedule, raw, {
    base: priced.baseFee ?? 0,
    allowed: priced.extras ?? [],
    counts: serviceCounts(request, known),
  });
  const multiplier = exempt ? 0n : BigInt(schedule.network.multiplier);
  const subtotal = node.total * multiplier;
  return {
    missing,
    estimate: {
      high_volume_multiplier: Number(raw / 1000n),
      network: { multiplier: Number(multiplier), subtotal: Number(subtotal) },
      node: { base: node.base, extras: node.extras },
      service: { base: service.base, extras: service.extras },
      total: Number(node.total + subtotal + service.total),
    },
  };
}

function definitionOf(schedule: SlowSchedule, name: string): SlowDefinition | undefined {
  return schedule.services.flatMap((service) => service.schedule).find((each) => each.name === name);
}

type Count = readonly [name: string, count: number];

/** Sections 3 and 6: extras that the definition lists and that have something to charge. */
function charge(
  schedule: SlowSchedule,
  raw: bigint,
  part: {
    readonly base: number;
    readonly allowed: readonly SlowReference[];
    readonly counts: readonly Count[];
  },
) {
  const scaled = (amount: bigint) => (amount * raw) / 1000n;
  let unscaled = BigInt(part.base);
  const extras: unknown[] = [];
  for (const [name, count] of part.counts) {
    const reference = part.allowed.find((each) => each.name === name);
    const fee = schedule.extras.find((each) => each.name === name)?.fee;
    if (reference === undefined || fee === undefined) continue;
    const included = reference.includedCount ?? 0;
    const charged = Math.max(0, count - included);
    if (charged === 0) continue;
    unscaled += BigInt(fee) * BigInt(charged);
    const perUnit = scaled(BigInt(fee));
    extras.push({
      name,
      included,
      count,
      charged,
      fee_per_unit: Number(perUnit),
      subtotal: Number(perUnit * BigInt(charged)),
    });
  }
  return { base: Number(scaled(BigInt(part.base))), extras, total: scaled(unscaled) };
}

/** Section 6. */
function rawMultiplier(definition: SlowDefinition, throttle: number): bigint {
  const rates = definition.highVolumeRates;
  if (rates === undefined) return 1000n;
  const most = Math.max(rates.maxMultiplier ?? 0, 1000);
  const u = Math.min(Math.max(throttle, 0), 10000);
  const points = [...(rates.pricingCurve?.piecewiseLinear?.points ?? [])]
    .map((point) => ({ u: point.utilizationBasisPoints ?? 0, m: Math.max(point.multiplier ?? 0, 1000) }))
    .sort((one, other) => one.u - other.u);
  const within = (value: number) => BigInt(Math.min(Math.max(value, 1000), most));
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined)
    return within(1000 + Math.floor(((most - 1000) * u) / 10000));
  if (u < first.u || points.length === 1) return within(first.m);
  if (u > last.u) return within(last.m);
  const lower = points.filter((point) => point.u <= u).at(-1) ?? first;
  const upper = points.filter((point) => point.u >= u)[0] ?? last;
  if (lower.u === upper.u) return within(upper.m);
  return within(lower.m + Math.trunc(((upper.m - lower.m) * (u - lower.u)) / (upper.u - lower.u)));
}

/** Section 7, in the order of the checks. */
function brokenLimit({ member, body, bytes, signatures }: SlowRequest): string | undefined {
  const most = member === 'ethereumTransaction' ? 133120 : 6144;
  if (bytes > most) return `Transaction size ${bytes} exceeds maximum ${most} bytes`;
  const part = child(body, member);
  const lists = list(part, 'tokenTransfers');
  const nfts = lists.reduce((sum, each) => sum + list(each, 'nftTransfers').length, 0);
  const pending = list(part, 'pendingAirdrops').length;
  const limits: [applies: boolean, count: number, most: number, what: string][] = [
    [true, signatures, 100, 'signature pairs'],
    [
      member === 'cryptoTransfer',
      list(child(part, 'transfers'), 'accountAmounts').length,
      10,
      'hbar transfers',
    ],
    [member === 'cryptoTransfer', lists.length, 10, 'token transfer lists'],
    [member === 'tokenAirdrop', lists.length, 10, 'airdrop token transfer lists'],
    [member === 'cryptoTransfer' || member === 'tokenAirdrop', nfts, 10, 'nft transfers'],
    [member === 'tokenClaimAirdrop', pending, 10, 'pending airdrops to claim'],
    [member === 'tokenCancelAirdrop', pending, 10, 'pending airdrops to cancel'],
  ];
  const broken = limits.find(([applies, count, limit]) => applies && count > limit);
  if (broken === undefined) return undefined;
  const [, count, limit, what] = broken;
  return `Transaction contains ${count} ${what}, which exceeds the maximum of ${limit}`;
}

/** Section 4.2: the first entity that is needed and not known. */
function missingEntity({ member, body }: SlowRequest, state: SlowState): string | null {
  const part = child(body, member);
  if (member === 'consensusSubmitMessage') {
    const topic = printed(child(part, 'topicID'), 'topicNum');
    return topic in state.topics ? null : topic;
  }
  if (member !== 'cryptoTransfer' && member !== 'tokenAirdrop') return null;
  const tokens = list(part, 'tokenTransfers').map((each) => printed(child(each, 'token'), 'tokenNum'));
  return tokens.find((token) => !(token in state.tokens)) ?? null;
}

/** Section 5: what is counted, in the order of the answer. `state` is null in INTRINSIC mode. */
function serviceCounts({ member, body }: SlowRequest, state: SlowState | null): Count[] {
  const part = child(body, member);
  const keys = (...names: string[]) => names.reduce((sum, name) => sum + keysIn(child(part, name)), 0);
  const size = (name: string) => list(part, name).length;
  const bytes = (name: string) => bytesOf(part[name]);
  switch (member) {
    case 'cryptoCreateAccount':
      return [
        ['KEYS', keys('key')],
        ['HOOK_UPDATES', size('hookCreationDetails')],
      ];
    case 'cryptoUpdateAccount':
      return [
        ['KEYS', keys('key')],
        ['HOOK_UPDATES', size('hookCreationDetails') + size('hookIdsToDelete')],
      ];
    case 'cryptoApproveAllowance':
      return [['ALLOWANCES', size('cryptoAllowances') + size('nftAllowances') + size('tokenAllowances')]];
    case 'cryptoDeleteAllowance':
      return [['ALLOWANCES', size('nftAllowances')]];
    case 'consensusCreateTopic':
      return [
        ['KEYS', keys('adminKey', 'feeScheduleKey', 'submitKey')],
        ['CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE', size('customFees') > 0 ? 1 : 0],
      ];
    case 'consensusUpdateTopic': {
      const exempt = list(child(part, 'feeExemptKeyList'), 'keys').reduce((sum, key) => sum + keysIn(key), 0);
      return [['KEYS', keys('adminKey', 'feeScheduleKey', 'submitKey') + exempt]];
    }
    case 'consensusSubmitMessage': {
      const topic = printed(child(part, 'topicID'), 'topicNum');
      return state?.topics[topic]?.customFees === true
        ? [
            ['CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES', bytes('message')],
            ['CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE', 1],
          ]
        : [['CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES', bytes('message')]];
    }
    case 'fileCreate':
    case 'fileUpdate':
      return [
        ['KEYS', list(child(part, 'keys'), 'keys').reduce((sum, key) => sum + keysIn(key), 0)],
        ['STATE_BYTES', bytes('contents')],
      ];
    case 'fileAppend':
      return [['STATE_BYTES', bytes('contents')]];
    case 'tokenCreation':
      return [
        ['KEYS', keys(...TOKEN_KEYS)],
        [
          'TOKEN_CREATE_WITH_CUSTOM_FEE',
          size('customFees') > 0 || part['feeScheduleKey'] !== undefined ? 1 : 0,
        ],
      ];
    case 'tokenUpdate':
      return [['KEYS', keys(...TOKEN_KEYS)]];
    case 'tokenUpdateNfts':
      return [['NFT_UPDATE', size('serialNumbers')]];
    case 'tokenMint':
      return (part['amount'] ?? 0n) === 0n
        ? [
            ['TOKEN_MINT_NFT_BASE', 1],
            ['TOKEN_MINT_NFT', size('metadata')],
          ]
        : [];
    case 'tokenAssociate':
      return [['TOKEN_ASSOCIATE', size('tokens')]];
    case 'scheduleCreate':
      return [
        ['KEYS', keys('adminKey')],
        [
          'SCHEDULE_CREATE_CONTRACT_CALL_BASE',
          child(part, 'scheduledTransactionBody')['contractCall'] === undefined ? 0 : 1,
        ],
      ];
    case 'contractCreateInstance':
      return [
        ['KEYS', keys('adminKey')],
        ['HOOK_UPDATES', size('hookCreationDetails')],
      ];
    case 'contractUpdateInstance':
      return [
        ['KEYS', keys('adminKey')],
        ['HOOK_UPDATES', size('hookCreationDetails')],
        ['HOOK_UPDATES', size('hookIdsToDelete')],
      ];
    case 'hookStore':
      return [
        [
          'HOOK_SLOT_UPDATE',
          list(part, 'storageUpdates').reduce(
            (sum, update) =>
              sum +
              (update['storageSlot'] === undefined
                ? list(child(update, 'mappingEntries'), 'entries').length
                : 1),
            0,
          ),
        ],
      ];
    case 'cryptoTransfer':
    case 'tokenAirdrop':
      return transferCounts(part, state);
    default:
      return [];
  }
}

/** Section 5.2. */
function transferCounts(part: MessageObject, state: SlowState | null): Count[] {
  const lists = list(part, 'tokenTransfers');
  const amounts = [
    ...list(child(part, 'transfers'), 'accountAmounts'),
    ...lists.flatMap((each) => list(each, 'transfers')),
  ];
  const moves = lists.flatMap((each) => list(each, 'nftTransfers'));
  const accounts = new Set(
    [
      ...amounts.map((amount) => child(amount, 'accountID')),
      ...moves.flatMap((move) => [child(move, 'senderAccountID'), child(move, 'receiverAccountID')]),
    ].map((id) =>
      id['alias'] instanceof Uint8Array
        ? `alias ${Buffer.from(id['alias']).toString('hex')} ${id['shardNum'] ?? 0n} ${id['realmNum'] ?? 0n}`
        : printed(id, 'accountNum'),
    ),
  );
  const once = [
    ...amounts.map((amount) => amount['preTxAllowanceHook']),
    ...moves.flatMap((move) => [move['preTxSenderAllowanceHook'], move['preTxReceiverAllowanceHook']]),
  ];
  const twice = [
    ...amounts.map((amount) => amount['prePostTxAllowanceHook']),
    ...moves.flatMap((move) => [
      move['prePostTxSenderAllowanceHook'],
      move['prePostTxReceiverAllowanceHook'],
    ]),
  ];
  const calls = [...once, ...twice, ...twice].filter((hook) => hook !== undefined) as MessageObject[];
  const gas = calls.map((hook) => {
    const limit = child(hook, 'evmHookCall')['gasLimit'] ?? 0n;
    return Math.min(Number(limit), 15_000_000);
  });

  const counts: Count[] = [['ACCOUNTS', accounts.size]];
  if (calls.length > 0) {
    counts.push(['HOOK_EXECUTION', calls.length]);
    counts.push(['GAS', gas.reduce((sum, each) => sum + each, 0)]);
  }
  if (state === null) {
    for (const each of lists) {
      counts.push(['TOKEN_TYPES', list(each, 'transfers').length + list(each, 'nftTransfers').length]);
    }
    return counts;
  }
  const tokens = lists.map((each) => {
    const token = state.tokens[printed(child(each, 'token'), 'tokenNum')];
    const units = token?.nft
      ? list(each, 'nftTransfers').length
      : Math.min(1, list(each, 'transfers').length);
    return { units, customFees: token?.customFees === true };
  });
  const counted = tokens.filter((token) => token.units > 0);
  if (counted.length > 0) {
    counts.push([
      counted.some((token) => token.customFees) ? 'TOKEN_TRANSFER_BASE_CUSTOM_FEES' : 'TOKEN_TRANSFER_BASE',
      1,
    ]);
  }
  counts.push(['TOKEN_TYPES', tokens.reduce((sum, token) => sum + token.units, 0)]);
  return counts;
}

/** Section 4.1. */
function keysIn(key: MessageObject): number {
  if (['ed25519', 'ECDSASecp256k1', 'ECDSA_384'].some((kind) => key[kind] !== undefined)) return 1;
  const nested = key['keyList'] ?? child(key, 'thresholdKey')['keys'];
  return nested === undefined
    ? 0
    : list(nested as MessageObject, 'keys').reduce((sum, each) => sum + keysIn(each), 0);
}

function printed(id: MessageObject, number: string): string {
  return `${id['shardNum'] ?? 0n}.${id['realmNum'] ?? 0n}.${id[number] ?? 0n}`;
}

function child(message: MessageObject, name: string): MessageObject {
  return (message[name] ?? {}) as MessageObject;
}

function list(message: MessageObject, name: string): readonly MessageObject[] {
  return (message[name] ?? []) as readonly MessageObject[];
}

function bytesOf(value: MessageValue): number {
  return value instanceof Uint8Array ? value.length : 0;
}
