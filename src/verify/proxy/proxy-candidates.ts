import { bareHex, type Hex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { splitTrailingAuxdata } from '../match/auxdata/auxdata.ts';

/** The kinds of proxies that are known. @see contracts/verification-api.md section 5.5 */
export type ProxyKind =
  | 'EIP1167Proxy'
  | 'FixedProxy'
  | 'EIP1967Proxy'
  | 'GnosisSafeProxy'
  | 'DiamondProxy'
  | 'PROXIABLEProxy'
  | 'ZeppelinOSProxy'
  | 'SequenceWalletProxy';

/** A kind whose implementation only the state of the contract can tell. */
export type StatefulKind = Exclude<ProxyKind, 'EIP1167Proxy' | 'FixedProxy'>;

/** What the code alone says. */
interface ProxyCandidates {
  /** The runtime code is that of EIP-1167; the address that it names. */
  readonly clone: Hex | null;
  /** In the order in which the state is to be asked. */
  readonly stateful: readonly StatefulKind[];
  /** Address that a DELEGATECALL has beside it in the code. */
  readonly fixed: Hex | null;
}

/** Storage slots, bare hex. @see contracts/verification-engine.md section 11 */
export const SLOTS = {
  implementation: '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: 'a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  zeppelinOs: '7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  proxiable: 'c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
} as const;

/**
 * What the slots are made of: code may compute them, and then holds the text or its hash. Those of EIP-1967 are one
 * less than the hash. Texts longer than a word are pushed in parts.
 */
const PREIMAGES = {
  implementation: 'eip1967.proxy.implementation',
  beacon: 'eip1967.proxy.beacon',
  zeppelinOs: 'org.zeppelinos.proxy.implementation',
  proxiable: 'PROXIABLE',
  diamond: 'diamond.standard.diamond.storage',
} as const;
const WORD_BYTES = 32;

/** keccak256("diamond.standard.diamond.storage"), where the reference implementation of EIP-2535 keeps its facets. */
const DIAMOND_STORAGE = 'c8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c';
/** facets, facetFunctionSelectors, facetAddresses, facetAddress. */
const DIAMOND_SELECTORS = ['7a0ed627', 'adfca15e', '52ef6b2c', 'cdffacc6'];
/** masterCopy(), which a Safe proxy answers itself. */
const MASTER_COPY = 'a619486e';
const CLONE = /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;
/** Addresses with leading zeros may be pushed shorter; anything below this is no address. */
const MIN_ADDRESS_BYTES = 12;
const ADDRESS_BYTES = 20;

/** What code holds that uses a slot: the slot, the hash that it is computed from, or the text. */
const SIGNS = {
  implementation: signsOf(SLOTS.implementation, PREIMAGES.implementation),
  beacon: signsOf(SLOTS.beacon, PREIMAGES.beacon),
  zeppelinOs: signsOf(SLOTS.zeppelinOs, PREIMAGES.zeppelinOs),
  proxiable: signsOf(SLOTS.proxiable, PREIMAGES.proxiable),
  diamond: signsOf(DIAMOND_STORAGE, PREIMAGES.diamond),
} as const;

/** Bytes. Proxies are short, and most networks take less. */
const MAX_LOOKED_AT = 131_072;
const NONE: ProxyCandidates = { clone: null, stateful: [], fixed: null };

/**
 * Looks at code for signs of a proxy, without running it.
 *
 * Constants may be pushed, computed, or read from a data section; the state decides whether they mean anything.
 *
 * A contract that creates contracts is none: it holds the code of the proxies that it makes. Only the runtime
 * code decides that; the constructor of a proxy may well create its admin.
 *
 * @param code as it lies on chain
 * @param creationCode null when it is not known. It names slots that the runtime code may not need.
 * @see contracts/verification-engine.md section 11
 */
export function findProxyCandidates(code: Uint8Array, creationCode: Uint8Array | null): ProxyCandidates {
  const runtime = code.subarray(0, MAX_LOOKED_AT);
  const creation = creationCode?.subarray(0, MAX_LOOKED_AT) ?? null;
  const own = look(runtime);
  if (own.creates) return NONE;
  const made = creation === null ? null : look(creation);
  const clone = cloneTarget(runtime);
  const delegates = own.delegates || (made?.delegates ?? false);
  if (!delegates) return { ...NONE, clone };
  const has = (constant: string) => own.constants.has(constant) || (made?.constants.has(constant) ?? false);
  // Whole words stand nowhere by chance, so those in data sections count too.
  const codes = [runtime, ...(creation === null ? [] : [creation])].map(bytesOf);
  const holds = (...signs: readonly Buffer[]) =>
    codes.some((code) => signs.some((sign) => code.includes(sign)));
  const signs: readonly (readonly [StatefulKind, boolean])[] = [
    ['DiamondProxy', DIAMOND_SELECTORS.some(has) || holds(...SIGNS.diamond)],
    ['EIP1967Proxy', holds(...SIGNS.implementation, ...SIGNS.beacon)],
    ['ZeppelinOSProxy', holds(...SIGNS.zeppelinOs)],
    ['PROXIABLEProxy', holds(...SIGNS.proxiable)],
    ['GnosisSafeProxy', has(MASTER_COPY) || has(MASTER_COPY.padEnd(64, '0'))],
    ['SequenceWalletProxy', own.loadsOwnSlot],
  ];
  return {
    clone,
    stateful: signs.filter(([, isThere]) => isThere).map(([kind]) => kind),
    fixed: own.fixed,
  };
}

function look(code: Uint8Array) {
  /** Everything that is pushed, bare hex. */
  const constants = new Set<string>();
  const signs = { creates: false, delegates: false, loadsOwnSlot: false, fixed: null as Hex | null };
  let before: Instruction | null = null;
  let twoBefore: Instruction | null = null;
  for (const instruction of readInstructions(withoutAuxdata(code))) {
    const { opcode, data, isReachable } = instruction;
    if (data.length > 0) constants.add(bareHex(data));
    if (isReachable && (opcode === CALL.CREATE || opcode === CALL.CREATE2)) signs.creates = true;
    if (opcode === SLOAD && before?.opcode === ADDRESS) signs.loadsOwnSlot = true;
    if (opcode === CALL.DELEGATECALL) {
      signs.delegates = true;
      if (isReachable && before?.opcode === GAS) signs.fixed ??= asAddress(twoBefore?.data);
    }
    twoBefore = before;
    before = instruction;
  }
  return { constants, ...signs };
}

function signsOf(slot: string, preimage: string): readonly Buffer[] {
  const hash = keccak256(Buffer.from(preimage));
  return [Buffer.from(slot, 'hex'), Buffer.from(hash), Buffer.from(preimage).subarray(0, WORD_BYTES)];
}

/** A view, not a copy. */
function bytesOf(code: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = withoutAuxdata(code);
  return Buffer.from(buffer, byteOffset, length);
}

function withoutAuxdata(code: Uint8Array): Uint8Array {
  const trailing = splitTrailingAuxdata(code);
  return trailing === null ? code : code.subarray(0, trailing.offset);
}

/** The same bytes after other code, or in the arguments of a constructor, are what anybody likes to claim. */
function cloneTarget(code: Uint8Array): Hex | null {
  const digits = CLONE.exec(bareHex(code))?.[1];
  return digits === undefined || /^0+$/.test(digits) ? null : `0x${digits}`;
}

function asAddress(data: Uint8Array | undefined): Hex | null {
  if (data === undefined || data.length < MIN_ADDRESS_BYTES || data.length > ADDRESS_BYTES) return null;
  const digits = bareHex(data).padStart(2 * ADDRESS_BYTES, '0');
  return /^0+$/.test(digits) ? null : `0x${digits}`;
}

/** One instruction of EVM code. */
interface Instruction {
  readonly opcode: number;
  /** What a PUSH holds, as long as the code goes; empty for everything else. */
  readonly data: Uint8Array;
  /** False after an instruction that never continues, until the next jump target: often data, not code. */
  readonly isReachable: boolean;
}

const CALL = { CREATE: 0xf0, DELEGATECALL: 0xf4, CREATE2: 0xf5 } as const;
const GAS = 0x5a;
const SLOAD = 0x54;
const ADDRESS = 0x30;

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const JUMPDEST = 0x5b;
/** STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);
const NO_DATA = new Uint8Array();

/** Reads code from its beginning; the data of PUSH instructions is never taken for code. */
export function* readInstructions(code: Uint8Array): Generator<Instruction> {
  let isReachable = true;
  for (let offset = 0; offset < code.length; ) {
    const opcode = code[offset] ?? 0;
    const length = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
    if (opcode === JUMPDEST) isReachable = true;
    const data = length === 0 ? NO_DATA : code.subarray(offset + 1, offset + 1 + length);
    yield { opcode, data, isReachable };
    if (ENDS.has(opcode)) isReachable = false;
    offset += 1 + length;
  }
}
