/** Bodies in JSON that are checked and read in the body thread when they are large. */
export type JsonKind = 'standard_json' | 'metadata' | 'similarity' | 'import';

/** Forms that are read to a submission in the body thread when they are large. */
export type FormKind = 'version_1_verify' | 'version_1_solc_json' | 'version_1_vyper';

/**
 * `form`: a form is only taken apart; `etherscan`: its submission is read besides; `verification_page`: what people
 * entered is read.
 */
export type BodyKind = JsonKind | FormKind | 'form' | 'etherscan' | 'verification_page';
