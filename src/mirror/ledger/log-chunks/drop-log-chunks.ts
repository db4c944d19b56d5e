/**
 * What drops chunks of logs: those that end at or after a time at which logs are added, or those of which nothing is
 * left. Chunks go from either end of the ledger alone, so that each begins where the one before it ends.
 */
export const DROP_LOG_CHUNKS = {
  from: 'delete from contract_log_chunk where last_ts >= ?',
  upTo: 'delete from contract_log_chunk where last_ts <= ?',
} as const;
