/** What these tests see or do not see, depending on how fast jobs are: they wait longer for some databases. */
const IN_TIME = 'whether a job still waits or runs is a matter of time';

/** Statuses that these tests do not provoke, with the reason. */
export const NOT_ASKED: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: / (?:408|413|429|500|503)$/,
    reason:
      'limits and faults that all routes share; scripts/write-api-examples.ts asks the mappers of the areas for them, and rules.test.ts checks what they gave',
  },
  {
    pattern: /^GET \/api\/v1\/network\/\w+ 404$/,
    reason: 'a ledger that does not have the file or the event yet',
  },
  { pattern: /\/transactions 206$/, reason: 'a dialect that looks through a part at a time' },
  { pattern: / 502$/, reason: 'a node of the chain that does not answer' },
  {
    pattern: /^POST \/v2\/verify\/(?:metadata|similarity)\/\S+ 409$/,
    reason: 'as for a standard JSON input',
  },
  { pattern: /^DELETE \/v2\/verify\/\S+ 204$/, reason: IN_TIME },
  {
    pattern: /^POST \/verify(?:\/\S+)? (?:404|409)$/,
    reason: 'as version 2 refuses, in the form of version 1',
  },
  { pattern: /^POST \/verify\/vyper 200$/, reason: 'there is no Vyper compiler in the package' },
  {
    pattern: /^(?:PATCH|PUT|DELETE) \/v1\/\S+ 409$/,
    reason: 'one guard for all changes; one call stands for them',
  },
  {
    pattern: /^(?:PATCH|PUT) \/v1\/\S+ 422$/,
    reason: 'members are judged by the same rules as at other calls',
  },
  {
    pattern: /^GET \/v1\/\S+ 422$/,
    reason: 'one reader for the parameters of all lists, one for those of ranges',
  },
  { pattern: /^GET \/status\/history\.\w+ 404$/, reason: 'a page whose operator has switched feeds off' },
];

const BATCH = 'the generated ledger has no batch';
const MAX_FEE = 'the generated ledger has no limit on custom fees';
const DECODED = 'no verified contract is in this ledger; test/e2e/decoded-ledger.test.ts has one';
const PROXY = 'the mock chain has no proxy and never fails; src/verify/proxy tests both';

/** Members that no answer of these tests has, with the reason. */
export const NOT_SEEN: Readonly<Record<string, string>> = {
  'ShortContractResult.decoded': DECODED,
  'ShortContractResult.decoded_error': DECODED,
  'ContractLog.decoded': DECODED,
  'Decoded.arguments': DECODED,
  'Decoded.name': DECODED,
  'Decoded.returned': DECODED,
  'Decoded.signature': DECODED,
  'Decoded.source': DECODED,
  'DecodedArgument.hash': DECODED,
  'DecodedArgument.indexed': DECODED,
  'DecodedArgument.name': DECODED,
  'DecodedArgument.type': DECODED,
  'DecodedArgument.value': DECODED,
  '{name,type,value}.name': DECODED,
  '{name,type,value}.type': DECODED,
  '{name,type,value}.value': DECODED,
  'Chain.title': 'only when it is configured',
  '{type,index}.type': 'only chains with endpoints that trace have it',
  '{type,index}.index': 'only chains with endpoints that trace have it',
  'ErrorMessage.data': 'only refusals of the former API have it',
  'Transaction.batch_key': BATCH,
  'TransactionWithFees.batch_key': BATCH,
  'MaxCustomFee.account_id': MAX_FEE,
  'MaxCustomFee.amount': MAX_FEE,
  'MaxCustomFee.denominating_token_id': MAX_FEE,
  'InnerEstimate.additions': 'inner transactions of schedules and batches that create accounts',
  'InnerEstimate.notes': 'inner transactions of which something is not known',
  'ListedEstimate.notes': 'transactions of which something is not known',
  'Verification.estimatedWaitSeconds': IN_TIME,
  'Verification.queuePosition': IN_TIME,
  'Verification.stage': IN_TIME,
  'Verification.warnings': 'submissions that name what they need not',
  'JobError.onchainCreationCode': 'a mismatch of a contract whose creation is known',
  'JobError.creationTransactionHash': 'a mismatch of a contract whose creation is known',
  '{address,name}.address': PROXY,
  '{address,name}.name': PROXY,
  'ProxyFailure.proxyResolutionError': PROXY,
  '{customCode,message,errorId}.customCode': PROXY,
  '{customCode,message,errorId}.message': PROXY,
  '{customCode,message,errorId}.errorId': PROXY,
  '{chainId,status,isProxy,proxyType,implementations,proxyResolutionError}.proxyResolutionError': PROXY,
};

/** Whether a reason holds in some runs only. */
export const isMatterOfTime = (reason: string | undefined): boolean => reason === IN_TIME;
