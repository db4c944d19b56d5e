import { describe, expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import type { FilePiece } from '../../ledger/rows.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { parseAddressBook, parseAddressBookFile } from './address-book.ts';
import { assembleAddressBooks } from './assemble-address-books.ts';

const text = (value: string) => new Uint8Array(Buffer.from(value));

describe('parseAddressBook', () => {
  test('old books: account from the memo, node id from the account, addresses of a node united', () => {
    const address = (memo: string, ip: string) => ({
      memo: text(memo),
      ipAddress: text(ip),
      portno: 50_211,
      RSA_PubKey: 'aa',
    });
    const book = messages.NodeAddressBook.encode({
      nodeAddress: [
        address('0.0.3', '10.0.0.1'),
        address('0.0.4', '10.0.0.2'),
        address('0.0.4', '10.0.0.3'),
        address('0.0.4', '10.0.0.3'),
      ],
    });
    const entries = parseAddressBook(book);
    expect(entries.map(({ nodeId, nodeAccount }) => [nodeId, nodeAccount])).toEqual([
      [0n, 3n],
      [1n, 4n],
    ]);
    expect(entries[1]?.serviceEndpoints.map(({ ipAddressV4 }) => ipAddressV4)).toEqual([
      '10.0.0.2',
      '10.0.0.3',
    ]);
    expect(entries[0]).toMatchObject({
      memo: '0.0.3',
      description: null,
      nodeCertHash: null,
      publicKey: 'aa',
    });
  });

  test('new books: node id and account as they are', () => {
    const book = messages.NodeAddressBook.encode({
      nodeAddress: [
        {
          nodeId: 5n,
          nodeAccountId: { shardNum: 11n, realmNum: 12n, accountNum: 8n },
          description: 'five',
          serviceEndpoint: [{ domainName: 'node.example', port: 443 }],
        },
      ],
    });
    expect(parseAddressBook(book)).toMatchObject([
      {
        nodeId: 5n,
        nodeAccount: encodeEntityId(11n, 12n, 8n),
        description: 'five',
        publicKey: null,
        serviceEndpoints: [{ domainName: 'node.example', ipAddressV4: '', port: 443 }],
      },
    ]);
  });

  test('a book without nodes is none', () => {
    expect(() => parseAddressBook(new Uint8Array())).toThrowError(
      expect.objectContaining({ code: 'malformed' }),
    );
  });
});

describe('parseAddressBookFile', () => {
  test('the JSON form gives the same book', () => {
    const json = JSON.stringify({
      nodeAddress: [
        { RSAPubKey: 'aa', nodeId: '3', nodeAccountId: { accountNum: '6' }, nodeCertHash: 'YWI=' },
        { RSAPubKey: 'bb', nodeAccountId: { accountNum: '3' } },
      ],
    });
    expect(parseAddressBookFile(text(json), 'address-book.json')).toMatchObject([
      { nodeId: 3n, nodeAccount: 6n, publicKey: 'aa', nodeCertHash: Buffer.from('ab') },
      { nodeId: 0n, nodeAccount: 3n, publicKey: 'bb' },
    ]);
    expect(() => parseAddressBookFile(text('{'), 'b.json')).toThrowError(/b\.json/);
  });

  test('a mirror answers it as network/nodes, newer nodes first or last', () => {
    const node = {
      description: 'one',
      memo: '0.0.4',
      node_account_id: '0.0.4',
      node_cert_hash: '0xab12',
      node_id: 1,
      public_key: '0x3082',
      service_endpoints: [{ domain_name: 'a.example', ip_address_v4: '10.0.0.1', port: 50211 }],
      stake: 5,
      timestamp: { from: '1.000000000', to: null },
    };
    const bare = { node_id: 0, node_account_id: '0.0.3', public_key: '0x' };
    const answer = (nodes: unknown, next: string | null = null) =>
      parseAddressBookFile(text(JSON.stringify({ nodes, links: { next } })), 'nodes.json');
    expect(answer([node, bare])).toMatchObject([
      {
        nodeId: 1n,
        nodeAccount: 4n,
        description: 'one',
        memo: '0.0.4',
        publicKey: '3082',
        serviceEndpoints: [{ domainName: 'a.example', ipAddressV4: '10.0.0.1', port: 50_211 }],
      },
      { nodeId: 0n, nodeAccount: 3n, publicKey: null },
    ]);
    expect(Buffer.from(answer([node])[0]?.nodeCertHash ?? []).toString()).toBe('ab12');
    expect(() => answer([])).toThrowError(/without nodes/);
    expect(() => answer([{ ...node, node_account_id: 'four' }])).toThrowError(/nodes\.json/);
    expect(() => answer([node], '/api/v1/network/nodes?limit=1')).toThrowError(
      /nodes\.json is one of several pages: request it with limit=100/,
    );
  });
});

describe('assembleAddressBooks', () => {
  const book = messages.NodeAddressBook.encode({
    nodeAddress: [
      { nodeId: 1n, description: 'x'.repeat(40), nodeAccountId: { accountNum: 4n }, RSA_PubKey: 'aa' },
    ],
  });
  const piece = (
    num: bigint,
    type: FilePiece['transactionType'],
    at: bigint,
    contents: Uint8Array,
  ): FilePiece => ({
    file: encodeEntityId(0n, 0n, num) as EntityId,
    consensusTimestamp: consensusTimestamp(at),
    transactionType: type,
    contents,
  });

  test('a book in two parts begins to hold after the second', async () => {
    const parts = [piece(102n, 19, 100n, book.subarray(0, 20)), piece(102n, 16, 200n, book.subarray(20))];
    const books = await assembleAddressBooks(parts, async () => null);
    expect(books).toMatchObject([{ file: 102n, startTimestamp: 201n, entries: [{ nodeId: 1n }] }]);
  });

  test('the first part may lie in an earlier unit', async () => {
    const asked: unknown[] = [];
    const books = await assembleAddressBooks([piece(102n, 16, 200n, book.subarray(20))], async (num, at) => {
      asked.push([num, at]);
      return { contents: book.subarray(0, 20) };
    });
    expect(asked).toEqual([[102n, 199n]]);
    expect(books).toHaveLength(1);
  });

  test('a book that goes on with what nothing vouches for is not vouched for, in one unit or two', async () => {
    const [first, second] = [book.subarray(0, 20), book.subarray(20)];
    const stated = { ...piece(102n, 19, 100n, first), isTold: true };
    const append = piece(102n, 16, 200n, second);
    const unproven = [{ startTimestamp: 201n, isTold: true }];
    expect(await assembleAddressBooks([stated, append], async () => null)).toMatchObject(unproven);
    const stored = async () => ({ contents: first, isTold: true });
    expect(await assembleAddressBooks([append], stored)).toMatchObject(unproven);
    // A new version does not go on with it.
    expect(await assembleAddressBooks([stated, piece(102n, 19, 300n, book)], stored)).toMatchObject([
      { startTimestamp: 301n, isTold: false },
    ]);
  });

  const account = { nodeAccountId: { accountNum: 3n } };
  const booksOf = (nodeAddress: readonly MessageObject[]) =>
    assembleAddressBooks(
      [piece(102n, 19, 200n, messages.NodeAddressBook.encode({ nodeAddress }))],
      async () => null,
    );
  test.each([
    ['an account alone', account],
    ['an account and an endpoint without address', { ...account, serviceEndpoint: [{ port: 443 }] }],
    ['a key alone', { RSA_PubKey: 'aa' }],
    ['a key and the account 0.0.0', { RSA_PubKey: 'aa', memo: text('0.0.0') }],
    ['an address alone', { ipAddress: text('10.0.0.1') }],
  ])('a book whose nodes have %s is discarded', async (_, node) => {
    expect(await booksOf([node, { ...node, nodeId: 9n }])).toEqual([]);
  });

  test.each([
    ['an account and a key', { ...account, RSA_PubKey: 'aa' }],
    ['an account in the memo and an address', { memo: text('0.0.3'), ipAddress: text('10.0.0.1') }],
  ])('a node with %s makes a book, whatever the others lack', async (_, node) => {
    expect(await booksOf([{ nodeId: 9n, description: 'bare' }, node])).toMatchObject([{ entries: [{}, {}] }]);
  });

  test('other files are no books', async () => {
    expect(await assembleAddressBooks([piece(112n, 19, 1n, book)], async () => null)).toEqual([]);
  });
});
