import type { TakenPart } from '#lib/stock/batch.ts';
import { type Cents, roundedHalfUp } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';

/*
 * What a part of a batch cost is the difference between what the batch was worth with it and without it, each rounded
 * once, of cost × quantity × rate. Rounded by itself, a part would be half of 1/100 off, and a batch that is sold in a
 * thousand parts five units; so the parts of a batch always add up to what the whole of it costs at that rate, however it
 * is cut, and what goes back into it takes back just what the batch is then worth more. Decisions, 8.
 */

/** What a part of a batch cost, in the currency of the second rate. Undefined if either currency has no rate. */
export function costOf({ cost, quantity, left }: TakenPart, from: Cents, to: Cents): Cents | undefined {
  if (from === 0 || to === 0) return undefined;
  const worth = (units: number) =>
    roundedHalfUp(BigInt(cost) * BigInt(units) * BigInt(from), BigInt(to) * BigInt(ONE));
  return Number(worth(left + quantity) - worth(left));
}
