import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { type BlockOptions, writeBlocks } from '../../tools/network/write-blocks.ts';
import { startBlockNode, type TestBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { S3_BUCKET, S3_KEY, type S3Server, startS3Server } from './s3/s3-server.ts';

/** A made-up network in each form in which networks publish; units appear when a test lets them. */
export interface WrittenNetwork {
  /** Record files, all of them. */
  readonly folder: string;
  /** File with the address book. */
  readonly book: string;
  readonly bucket: S3Server;
  readonly node: TestBlockNode;
  /** Copies record files `from` to before `to` into a folder. */
  intoFolder(target: string, from: number, to: number): void;
  /** Puts them into the bucket. */
  intoBucket(from: number, to: number): Promise<void>;
  /** Hands blocks to the node. */
  intoNode(from: number, to: number): void;
  /** Variables with which a server follows the bucket. */
  readonly bucketVariables: Readonly<Record<string, string>>;
  /** Variables with which it follows the node. */
  readonly nodeVariables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @param folder an empty one, which the caller removes */
export async function writeNetwork(folder: string, options: BlockOptions): Promise<WrittenNetwork> {
  const records = join(folder, 'network');
  await writeStream(writeIntoFolder(records), options);
  const { blocks, book } = writeBlocks(options);
  const bookFile = join(folder, 'book.bin');
  writeFileSync(bookFile, book);
  const written = [...blocks];
  const [bucket, node] = [await startS3Server(), await startBlockNode()];
  const paths = readdirSync(records, { recursive: true, encoding: 'utf8' });
  const instantOf = (path: string) => /\d{4}-\d\d-\d\dT[\d_.]+Z/.exec(path)?.[0];
  const instants = [...new Set(paths.flatMap((path) => instantOf(path) ?? []))].sort();
  const between = (from: number, to: number): readonly string[] => {
    const wanted = instants.slice(from, to);
    return paths.filter((path) => wanted.includes(instantOf(path) ?? '')).sort();
  };
  return {
    folder: records,
    book: bookFile,
    bucket,
    node,
    intoFolder(target, from, to) {
      for (const path of [...between(from, to), 'address_book.bin']) {
        mkdirSync(dirname(join(target, path)), { recursive: true });
        writeFileSync(join(target, path), readFileSync(join(records, path)));
      }
    },
    async intoBucket(from, to) {
      for (const path of between(from, to)) await bucket.put(path, readFileSync(join(records, path)));
    },
    intoNode(from, to) {
      for (const { bytes, number } of written.slice(from, to)) node.push(number, bytes);
    },
    bucketVariables: {
      MIRROR_BUCKET: `s3://${S3_BUCKET}`,
      MIRROR_BUCKET_ENDPOINT: bucket.url,
      MIRROR_ADDRESS_BOOK: bookFile,
      AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
    },
    nodeVariables: { MIRROR_BLOCK_NODES: node.address.name, MIRROR_ADDRESS_BOOK: bookFile },
    async close() {
      await Promise.all([bucket.close(), node.close()]);
    },
  };
}
