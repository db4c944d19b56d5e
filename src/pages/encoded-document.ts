import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PACK_FROM_BYTES } from '../http/packing.ts';

/** One form of a document, with the entity tag of exactly these bytes. */
export interface Representation {
  readonly encoding: 'identity' | 'gzip';
  /** Strong entity tag with its quotes. */
  readonly etag: string;
  /** Null when the bytes have to be made first. */
  readonly ready: Buffer | null;
  bytes(): Promise<Buffer>;
}

/** A document ready to be sent. */
export interface EncodedDocument {
  readonly plain: Representation;
  /** Null when the document is too short to become shorter. */
  readonly gzip: Representation | null;
  /** HTTP date of the page's last visible change. */
  readonly lastModified: string;
}

const compress = promisify(gzip);

/** A document as bytes; `lastModified` is an HTTP date. */
export function encodeDocument(document: unknown, lastModified: string): EncodedDocument {
  return encodeText(JSON.stringify(document), lastModified);
}

/** A text of any kind, ready to be sent as UTF-8; `lastModified` is an HTTP date. */
export function encodeText(text: string, lastModified: string): EncodedDocument {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 32);
  const plain: Representation = {
    encoding: 'identity',
    etag: `"${hash}"`,
    ready: body,
    bytes: async () => body,
  };
  return { plain, gzip: body.length < PACK_FROM_BYTES ? null : gzipped(body, hash), lastModified };
}

/** Compresses when first asked and keeps the result: most changes are read by few kinds of clients. */
function gzipped(body: Buffer, hash: string): Representation {
  let compressed: Promise<Buffer> | null = null;
  let ready: Buffer | null = null;
  return {
    encoding: 'gzip',
    etag: `"${hash}-gzip"`,
    get ready() {
      return ready;
    },
    bytes: () => {
      compressed ??= compress(body).then((bytes) => {
        ready = bytes;
        return bytes;
      });
      return compressed;
    },
  };
}
