import { enumNumbers, type MessageObject, messages } from '../../../../src/mirror/protobuf/messages.ts';
import type { SlowSchedule } from './slow-estimate.ts';

/** A valid schedule in JSON spelling with one price of each kind; `nodeBaseFee` tells versions apart. */
export function smallSchedule(nodeBaseFee = 100) {
  return {
    node: { baseFee: nodeBaseFee, extras: [{ name: 'SIGNATURES', includedCount: 1 }] },
    network: { multiplier: 9 },
    extras: [
      { name: 'SIGNATURES', fee: 30 },
      { name: 'KEYS', fee: 70 },
    ],
    services: [
      {
        name: 'Crypto',
        schedule: [
          {
            name: 'CryptoCreate',
            baseFee: 500,
            extras: [{ name: 'KEYS', includedCount: 1 }],
            highVolumeRates: {
              maxMultiplier: 9000,
              pricingCurve: {
                piecewiseLinear: {
                  points: [
                    { utilizationBasisPoints: 20, multiplier: 8000 },
                    { utilizationBasisPoints: 10, multiplier: 4000 },
                  ],
                },
              },
            },
          },
          { name: 'CryptoDelete', baseFee: 7 },
        ],
      },
      { name: 'Contract', schedule: [{ name: 'ContractCall', nodeNetworkFeeExempt: true }] },
    ],
  };
}

/** The same in the ledger's binary form. */
export function smallScheduleBytes(nodeBaseFee = 100): Uint8Array {
  return scheduleBytes(smallSchedule(nodeBaseFee));
}

/** Any schedule in JSON spelling in the ledger's binary form. */
export function scheduleBytes(schedule: SlowSchedule): Uint8Array {
  const extras = enumNumbers('org.hiero.hapi.fees.Extra');
  const functionalities = enumNumbers('proto.HederaFunctionality');
  const numbered = <T extends { readonly name: string }>(list: readonly T[] | undefined) =>
    (list ?? []).map((each) => ({ ...each, name: extras[each.name] }));
  return messages.SimpleFeeSchedule.encode({
    ...schedule,
    node: { ...schedule.node, extras: numbered(schedule.node.extras) },
    extras: numbered(schedule.extras),
    services: schedule.services.map((service) => ({
      ...service,
      schedule: service.schedule.map((definition) => ({
        ...definition,
        name: functionalities[definition.name],
        extras: numbered(definition.extras),
      })),
    })),
  } as unknown as MessageObject);
}
