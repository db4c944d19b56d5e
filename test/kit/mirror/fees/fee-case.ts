/** One file of `cases/fee-estimates`; the README there describes the format. */
export interface FeeCase {
  readonly name: string;
  readonly request: {
    readonly mode?: string;
    readonly high_volume_throttle?: number | string;
    readonly content_type?: string;
    readonly bodyHex: string;
  };
  readonly state?: {
    readonly tokens?: readonly {
      token_id: string;
      type: 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE';
      custom_fees: number;
    }[];
    readonly topics?: readonly { topic_id: string; custom_fees: number }[];
  };
  readonly facts?: { readonly bytes: number; readonly signatures: number };
  readonly expected: {
    readonly status: number;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly notesContains?: string;
    readonly error?: {
      readonly message?: string;
      readonly detail?: string;
      readonly messagePattern?: string;
    };
  };
}

/** The reference's body limit in bytes, which the cases expect. */
export const CASE_BODY_LIMIT = 7168;
