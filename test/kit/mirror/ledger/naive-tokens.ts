import type { MessageObject } from '../../../../src/mirror/protobuf/messages.ts';
import { hex, id, int, ints, list, type PlainItem, part, text } from './plain-item.ts';

export interface NaiveToken {
  readonly isUnique: boolean;
  readonly hasFreezeKey: boolean;
  readonly hasKycKey: boolean;
  readonly created: bigint;
  readonly decimals: bigint;
  name: string;
  symbol: string;
  treasury: bigint | null;
  pause: 'PAUSED' | 'UNPAUSED' | null;
  /** When its row began. */
  lower: bigint;
  supply: bigint;
}

export interface NaiveRelation {
  isAssociated: boolean;
  isAutomatic: boolean;
  created: bigint | null;
  balance: bigint;
  /** Null: that of the token. */
  freeze: 'FROZEN' | 'UNFROZEN' | null;
  kyc: 'GRANTED' | 'REVOKED' | null;
}

export interface NaiveNft {
  account: bigint | null;
  spender: bigint | null;
  delegating: bigint | null;
  readonly created: bigint;
  /** When its row began. */
  lower: bigint;
  isDeleted: boolean;
  metadata: string;
}

const ALL = -1n;

/** Tokens, who is associated with them, and NFTs, by section 11.4 and 11.5. */
export class NaiveTokens {
  readonly tokens = new Map<bigint, NaiveToken>();
  /** By account and token, `3001/9001`. */
  readonly relations = new Map<string, NaiveRelation>();
  /** By token and serial number. */
  readonly nfts = new Map<string, NaiveNft>();
  /** Every time at which the row of an NFT began, by token and serial number. */
  readonly nftTimes = new Set<string>();
  /** How many custom fees a token or topic had since a time, by both. */
  readonly fees = new Map<string, number>();

  /** Step 1: what the type does. */
  handle(item: PlainItem): void {
    const { at, data, receipt, type } = item;
    const token = id(data['token']);
    const account = id(data['account']);
    if (type === 29) this.#create(item);
    if (type === 36 && token !== null) this.#update(token, item);
    if ((type === 46 || type === 47) && token !== null) {
      Object.assign(this.#token(token), { pause: type === 46 ? 'PAUSED' : 'UNPAUSED', lower: at });
    }
    this.#changeFees(item);
    if (type === 37 && token !== null) {
      this.#token(token).supply = int(receipt, 'newTotalSupply');
      for (const [index, serial] of ints(receipt, 'serialNumbers').entries()) {
        const metadata = hex((data['metadata'] as readonly Uint8Array[])[index]);
        this.nfts.set(`${token}/${serial}`, {
          account: null,
          spender: null,
          delegating: null,
          created: at,
          lower: at,
          isDeleted: false,
          metadata,
        });
        this.nftTimes.add(`${token}/${serial}@${at}`);
      }
    }
    if ((type === 38 || type === 39) && token !== null) {
      this.#token(token).supply = int(receipt, 'newTotalSupply');
      for (const serial of ints(data, 'serialNumbers')) this.#end(`${token}/${serial}`, at);
    }
    if (type === 40 && account !== null) {
      for (const each of list(data, 'tokens')) this.#associate(account, id(each) ?? 0n, at, false);
    }
    if (type === 41 && account !== null) {
      for (const each of list(data, 'tokens')) {
        const relation = this.relations.get(`${account}/${id(each)}`);
        if (relation !== undefined) relation.isAssociated = false;
      }
    }
    if (account !== null && token !== null) {
      if (type === 31) this.#status(account, token).freeze = 'FROZEN';
      if (type === 32) this.#status(account, token).freeze = 'UNFROZEN';
      if (type === 33) this.#status(account, token).kyc = 'GRANTED';
      if (type === 34) this.#status(account, token).kyc = 'REVOKED';
    }
    if (type === 53 && data['metadata'] != null) {
      for (const serial of ints(data, 'serialNumbers')) {
        this.changeNft(`${token}/${serial}`, at, { metadata: hex(part(data, 'metadata')['value']) });
      }
    }
    if (type === 60) {
      for (const airdrop of list(data, 'pendingAirdrops')) {
        const nft = part(airdrop, 'nonFungibleToken');
        const claimed = id(airdrop['fungibleTokenType']) ?? id(nft['token_ID']);
        const receiver = id(airdrop['receiverId']);
        if (receiver !== null && claimed !== null) this.#associate(receiver, claimed, at, false);
      }
    }
  }

  /** One that is not known stays so. */
  changeNft(key: string, at: bigint, members: Partial<NaiveNft>): void {
    const nft = this.nfts.get(key);
    if (nft === undefined) return;
    Object.assign(nft, { ...members, lower: at });
    this.nftTimes.add(`${key}@${at}`);
  }

  /** Step 8: automatic associations, then the token transfers of the record. */
  move({ at, record, type }: PlainItem): void {
    if (type !== 29) {
      for (const each of list(record, 'automaticTokenAssociations')) {
        this.#associate(id(each['accountId']) ?? 0n, id(each['tokenId']) ?? 0n, at, true);
      }
    }
    for (const each of list(record, 'tokenTransferLists')) {
      const token = id(each['token']) ?? 0n;
      const transfers = list(each, 'transfers');
      const [only] = transfers;
      if (type === 41 && only !== undefined && transfers.length === 1) {
        this.#endAll(id(only['accountID']) ?? 0n, token, int(only, 'amount'), at);
        continue;
      }
      for (const transfer of transfers) this.#add(id(transfer['accountID']), token, int(transfer, 'amount'));
      for (const transfer of list(each, 'nftTransfers')) this.#moveNft(token, transfer, at);
    }
  }

  #create({ at, data, receipt, record }: PlainItem): void {
    const token = id(receipt['tokenID']) ?? 0n;
    this.tokens.set(token, {
      isUnique: data['tokenType'] === 1,
      hasFreezeKey: data['freezeKey'] != null,
      hasKycKey: data['kycKey'] != null,
      created: at,
      decimals: int(data, 'decimals'),
      name: text(data, 'name'),
      symbol: text(data, 'symbol'),
      treasury: id(data['treasury']),
      pause: data['pauseKey'] == null ? null : 'UNPAUSED',
      lower: at,
      supply: int(data, 'initialSupply'),
    });
    const listed = list(record, 'automaticTokenAssociations').map((each) => id(each['accountId']));
    const collectors = list(data, 'customFees').flatMap((fee) => {
      const denominated = part(fee, 'fixedFee')['denominatingTokenId'];
      const isOwn = denominated != null && id(denominated) === null;
      return fee['fractionalFee'] != null || isOwn ? id(fee['feeCollectorAccountId']) : [];
    });
    for (const account of listed.length > 0 ? listed : [id(data['treasury']), ...collectors]) {
      if (account === null) continue;
      this.#associate(account, token, at, false);
      const relation = this.#status(account, token);
      if (data['freezeKey'] != null) relation.freeze = 'UNFROZEN';
      if (data['kycKey'] != null) relation.kyc = 'GRANTED';
    }
  }

  #update(num: bigint, { at, data }: PlainItem): void {
    const token = this.#token(num);
    token.lower = at;
    token.name = text(data, 'name') || token.name;
    token.symbol = text(data, 'symbol') || token.symbol;
    token.treasury = id(data['treasury']) ?? token.treasury;
  }

  #changeFees({ at, data, receipt, type }: PlainItem): void {
    const fees = (message: MessageObject, member: string) => list(message, member).length;
    if (type === 29) this.fees.set(`${id(receipt['tokenID'])}@${at}`, fees(data, 'customFees'));
    if (type === 45) this.fees.set(`${id(data['tokenId'])}@${at}`, fees(data, 'customFees'));
    if (type === 24) this.fees.set(`${id(receipt['topicID'])}@${at}`, fees(data, 'customFees'));
    if (type === 25 && data['customFees'] != null) {
      this.fees.set(`${id(data['topicID'])}@${at}`, fees(part(data, 'customFees'), 'fees'));
    }
  }

  /** One that is associated already stays as it is. */
  #associate(account: bigint, token: bigint, at: bigint, isAutomatic: boolean): void {
    const key = `${account}/${token}`;
    if (this.relations.get(key)?.isAssociated === true) return;
    const begun = { isAssociated: true, created: at, balance: 0n, freeze: null, kyc: null };
    this.relations.set(key, { ...begun, isAutomatic });
  }

  #status(account: bigint, token: bigint): NaiveRelation {
    const relation = this.relations.get(`${account}/${token}`);
    if (relation === undefined) throw new Error(`${account} has no relation with ${token}`);
    relation.isAssociated = true;
    return relation;
  }

  #add(account: bigint | null, token: bigint, amount: bigint): void {
    const relation = account === null ? undefined : this.relations.get(`${account}/${token}`);
    if (relation !== undefined) relation.balance += amount;
  }

  #moveNft(token: bigint, transfer: MessageObject, at: bigint): void {
    const [from, to] = [id(transfer['senderAccountID']), id(transfer['receiverAccountID'])];
    const serial = int(transfer, 'serialNumber');
    if (serial === ALL) {
      for (const [key, nft] of this.nfts) {
        if (!key.startsWith(`${token}/`) || nft.account !== from || nft.isDeleted) continue;
        this.changeNft(key, at, { account: to, spender: null, delegating: null });
        this.#add(from, token, -1n);
        this.#add(to, token, 1n);
      }
      return;
    }
    this.#add(from, token, -1n);
    this.#add(to, token, 1n);
    if (to !== null) {
      this.changeNft(`${token}/${serial}`, at, { account: to, spender: null, delegating: null });
    }
  }

  #end(key: string, at: bigint): void {
    this.changeNft(key, at, { account: null, isDeleted: true });
  }

  /** What an account had of a deleted token. */
  #endAll(account: bigint, token: bigint, amount: bigint, at: bigint): void {
    this.#token(token).supply += amount;
    const relation = this.relations.get(`${account}/${token}`);
    if (relation !== undefined) relation.balance = 0n;
    for (const [key, nft] of this.nfts) {
      if (!key.startsWith(`${token}/`) || nft.account !== account || nft.isDeleted) continue;
      this.#end(key, at);
      this.changeNft(key, at, { spender: null, delegating: null });
    }
  }

  #token(num: bigint): NaiveToken {
    const token = this.tokens.get(num);
    if (token === undefined) throw new Error(`token ${num} was not created`);
    return token;
  }
}
