/**
 * What drops chunks of logs: those that end at or after a time at which logs are added, those of which nothing is left, or
 * those between two times, where one of the same times takes their place. So each begins where the one before it ends.
 */
export const DROP_LOG_CHUNKS = {
  from: 'delete from contract_log_chunk where last_ts >= ?',
  within: 'delete from contract_log_chunk where last_ts > ? and last_ts <= ?',
  upTo: 'delete from contract_log_chunk where last_ts <= ?',
} as const;
