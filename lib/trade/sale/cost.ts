import type { TakenPart } from '#lib/stock/batch.ts';
import { type Cents, roundedHalfUp } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';

/*
 * The cost of a part of a batch is the difference between the batch's worth with it and without it, each
 * rounded once, of cost × quantity × rate. Rounded by itself, a part would be up to half of 1/100 off, and a
 * batch that is sold in a thousand parts up to five units. So the parts of a batch always add up to what the
 * whole of it costs at that rate, however it is cut. Goods that go back into it take back exactly what the
 * batch is then worth more. Decisions, 8.
 */

/**
 * Computes the cost of a part of a batch, in the currency of the second rate. Undefined if either currency
 * has no rate.
 */
export function costOf({ cost, quantity, left }: TakenPart, from: Cents, to: Cents): Cents | undefined {
  if (from === 0 || to === 0) return undefined;
  const worth = (units: number) =>
    roundedHalfUp(BigInt(cost) * BigInt(units) * BigInt(from), BigInt(to) * BigInt(ONE));
  return Number(worth(left + quantity) - worth(left));
}
