/** Texts that clients of Etherscan's form compare. @see docs/adr/0002-reference-apis-first.md */
export const TEXTS = {
  pending: 'Pending in queue',
  verified: 'Pass - Verified',
  alreadyVerified: 'Already Verified',
  alreadyVerifiedAtSubmission: 'Contract source code already verified',
  failed: 'Fail - Unable to verify',
  unknownGuid: 'Unknown UID',
  notVerified: 'Contract source code not verified',
  noCode: 'Unable to locate ContractCode at',
  noProxy: 'A corresponding implementation contract was unfortunately not detected for the proxy address.',
  noCreation: 'No data found',
  noRecords: 'No records found',
} as const;
