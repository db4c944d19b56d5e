/** The part of s3rver that tests use; the package ships no types. */
declare module 's3rver' {
  interface ListOptions {
    readonly delimiter?: string;
    readonly startAfter?: string;
    readonly prefix?: string;
    readonly maxKeys?: number;
  }
  interface Listing {
    readonly objects: readonly { readonly key: string }[];
    readonly commonPrefixes: readonly string[];
    readonly isTruncated: boolean;
  }
  interface Store {
    listObjects(bucket: string, options: ListOptions): Promise<Listing>;
  }
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    readonly store: Store;
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
