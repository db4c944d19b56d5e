/** The part of s3rver that tests use; the package ships no types. */
declare module 's3rver' {
  interface ListOptions {
    readonly startAfter?: string;
    readonly prefix?: string;
    readonly maxKeys?: number;
  }
  interface Listing {
    readonly objects: readonly {
      readonly key: string;
      readonly size: number;
      readonly lastModifiedDate: Date;
      readonly metadata: { readonly etag: string };
    }[];
    readonly commonPrefixes: readonly string[];
    readonly isTruncated: boolean;
  }
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    readonly store: { listObjects(bucket: string, options: ListOptions): Promise<Listing> };
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
