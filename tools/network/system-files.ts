import { enumNumbers, messageType } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_FILE } from '../../src/mirror/vocabulary/system-files.ts';
import type { SystemFile } from './network-events.ts';

const schedules = messageType<unknown>('proto.CurrentAndNextFeeSchedule');
/** Thousandths of a tinycent for a unit of gas, which are 852 tinycents. */
const GAS_PRICE = 852_000n;
const EXPIRY_SECONDS = 4_102_444_800n;

/** File 111 with the prices of gas, from which a network answers what gas costs. */
export function gasPriceFile(): SystemFile {
  const functionalities = enumNumbers('proto.HederaFunctionality');
  const transactionFeeSchedule = ['ContractCall', 'ContractCreate', 'EthereumTransaction'].map((name) => ({
    hederaFunctionality: functionalities[name],
    fees: [{ servicedata: { gas: GAS_PRICE } }],
  }));
  const schedule = { transactionFeeSchedule, expiryTime: { seconds: EXPIRY_SECONDS } };
  return {
    num: SYSTEM_FILE.FEE_SCHEDULE,
    contents: schedules.encode({ currentFeeSchedule: schedule, nextFeeSchedule: schedule }),
  };
}
