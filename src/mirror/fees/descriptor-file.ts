import { readFileSync } from 'node:fs';
import { type DescriptorNode, type MessageShape, messageShapes } from './message-shape.ts';

const descriptor = JSON.parse(
  readFileSync(new URL('../protobuf/descriptor.json', import.meta.url), 'utf8'),
) as DescriptorNode;

const shapeOf = messageShapes(descriptor);

/** The messages that fee estimates decode, from the product's protobuf descriptor. */
export const shapes: Readonly<
  Record<
    'Transaction' | 'SignedTransaction' | 'TransactionBody' | 'SchedulableTransactionBody' | 'FeeSchedule',
    MessageShape
  >
> = {
  Transaction: shapeOf('proto.Transaction'),
  SignedTransaction: shapeOf('proto.SignedTransaction'),
  TransactionBody: shapeOf('proto.TransactionBody'),
  SchedulableTransactionBody: shapeOf('proto.SchedulableTransactionBody'),
  FeeSchedule: shapeOf('org.hiero.hapi.fees.FeeSchedule'),
};
