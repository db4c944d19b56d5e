import { readFileSync } from 'node:fs';
import { ownFile } from '../../../own-files.ts';
import { type DescriptorNode, type MessageShape, messageShapes } from './message-shape.ts';

const descriptor = JSON.parse(
  readFileSync(ownFile('mirror/protobuf/descriptor.json'), 'utf8'),
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

/** What prices do not depend on, of every transaction alike. */
const DROPPED: ReadonlySet<string> = new Set([
  'proto.SignatureMap.sigPair',
  'proto.TransactionBody.batchKey',
  'proto.TransactionBody.maxCustomFees',
  'proto.TransactionBody.memo',
  'proto.TransactionBody.nodeAccountID',
  'proto.TransactionBody.transactionFee',
  'proto.TransactionBody.transactionID',
  'proto.TransactionBody.transactionValidDuration',
]);

const pricedShapeOf = messageShapes(descriptor, DROPPED);

/** The same without what prices do not depend on: no id, and of signatures only their number. */
export const pricedShapes: Pick<typeof shapes, 'SignedTransaction' | 'TransactionBody'> = {
  SignedTransaction: pricedShapeOf('proto.SignedTransaction'),
  TransactionBody: pricedShapeOf('proto.TransactionBody'),
};
