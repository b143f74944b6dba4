import type { Audit } from './audit.ts';
import { type LineName, movementName, type Operation, partsText } from './posts.ts';

/** What a document tells that one of its lines moved. */
export interface ToldMovement extends LineName {
  readonly stockId: number;
  readonly productId: number;
  /** What went out is below zero. */
  readonly quantity: number;
  readonly parts: Parameters<typeof partsText>[0];
}

/** Claims the movement that a document tells of; answers with what is wrong with it. */
export function movementFault({ movements }: Audit, told: ToldMovement): string[] {
  const { line, stockId, productId, quantity, parts } = told;
  const movement = movements.claim(movementName(told, stockId, quantity));
  if (!movement) return [`line ${line} moved nothing`];
  const isSame =
    movement.productId === productId && movement.quantity === quantity && movement.parts === partsText(parts);
  return isSame ? [] : [`line ${line} is not what it moved: ${JSON.stringify(movement)}`];
}

/** Claims the supplier's operation that a document tells of; answers with what is wrong with it. */
export function operationFault({ operations }: Audit, source: string, told: Operation): string[] {
  const operation = operations.claim(source);
  if (!operation) return ['has no operation of its supplier'];
  const isSame =
    operation.supplier_id === told.supplier_id &&
    operation.currency === told.currency &&
    operation.amount === told.amount &&
    operation.isReversed === told.isReversed;
  return isSame ? [] : [`is not what its supplier's operation says: ${JSON.stringify(operation)}`];
}
