import type * as z from 'zod';
import type { Movement } from '#lib/stock/movement.ts';
import type { StockLevel } from '#lib/stock/stock-level.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import { faultUnless } from '../frame/ledger.ts';

type Move = z.input<typeof Movement>;
type Held = Pick<z.input<typeof StockLevel>, 'quantity' | 'batches'>;

/**
 * Checks the chain of a stock level's movements: each must begin with the end of the one before, the first
 * with nothing.
 */
export function chainFaults({ quantity }: Held, moves: readonly Move[]): string[] {
  const faults: string[] = [];
  let before = 0;
  for (const move of moves) {
    if (move.quantity_before !== before)
      faults.push(`its chain breaks at ${nameOf(move)}: ${before} is followed by ${move.quantity_before}`);
    before = move.quantity_after;
  }
  if (before !== quantity) faults.push(`its movements come to ${before}, it says ${quantity}`);
  return faults;
}

/**
 * Checks its batches: they must add up to the quantity, and the rest of each must be its receipts less its
 * issues.
 */
export function batchFaults({ quantity, batches }: Held, moves: readonly Move[]): string[] {
  const { rests, faults } = restsOf(moves);
  const inBatches = batches.reduce((sum, { left }) => sum + left, 0);
  if (inBatches !== quantity) faults.push(`its batches have ${inBatches}, it says ${quantity}`);
  for (const { id, left } of batches) {
    const rest = rests.get(id);
    if (rest === undefined) faults.push(`batch ${id} stands twice in it, or never came`);
    else if (rest !== left) faults.push(`batch ${id} has ${left}, what came less what was taken is ${rest}`);
    rests.delete(id);
  }
  for (const [id, rest] of rests) if (rest !== 0) faults.push(`batch ${id} is gone, and should have ${rest}`);
  return faults;
}

/** Checks the held quantity: it must be the goods taken out for holds and not returned. */
export function holdFaults(
  { held = 0 }: Pick<z.input<typeof StockLevel>, 'held'>,
  moves: readonly Move[],
): string[] {
  const out = -totalQuantity(moves.filter(({ document_type }) => document_type === 'hold'));
  return faultUnless(out === held, `holds took ${out} of it, it says ${held}`);
}

/** Computes the rest of each batch from movements. */
function restsOf(moves: readonly Move[]) {
  const faults: string[] = [];
  const rests = new Map<number, number>();
  for (const move of moves) {
    const moved = totalQuantity(move.batches);
    if (moved !== Math.abs(move.quantity))
      faults.push(`${nameOf(move)} moved ${move.quantity}, and of batches ${moved}`);
    // A movement of quantity 0 takes from some batches and gives to others.
    const sign = move.quantity < 0 ? -1 : 1;
    for (const { id, quantity } of move.batches) {
      const rest = (rests.get(id) ?? 0) + sign * quantity;
      if (rest < 0) faults.push(`${nameOf(move)} took more of batch ${id} than it had`);
      rests.set(id, rest);
    }
  }
  return { rests, faults };
}

function nameOf({ document_type, document_id, line_id }: Move): string {
  return `${document_type} ${document_id}, line ${line_id}`;
}
