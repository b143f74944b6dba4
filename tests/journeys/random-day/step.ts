import type { Staff } from '#lib/auth/actor.ts';
import type { Write } from '#lib/table/change/write.ts';
import { ApiError } from '#lib/values/api-error.ts';
import type { Day } from './day.ts';

/** How a step is done. */
export interface How {
  /** Chooses among what there is. */
  readonly pick: number;
  readonly pieces: number;
}

/** A call that is ready to be sent, and sent again. */
export type Call = (saveResponse: () => Write[]) => Promise<unknown>;

/** Makes a step's call; undefined if there is nothing to do it with. */
export type Making = (day: Day, actor: Staff, how: How) => Promise<Call | undefined>;

/** Makes calls whose names are the steps. */
export type Makings = Readonly<Record<string, Making>>;

/** Chooses one or two products, and how much of each. */
export function goodsOf({ productIds }: Day, { pick, pieces }: How) {
  const [first = 0, second = 0] = [pick, pick + 1 + (pick % 3)].map((each) => productIds[each % 4]);
  const ids = pick % 2 ? [first, second] : [first];
  return ids.map((product_id, index) => ({ product_id, quantity: (pieces + index) / 4 }));
}

/** Chooses one of the warehouses. */
export function stockOf({ stockIds, branch }: Day, how: How): number {
  return isAtBranch(how) ? branch.stockId : (stockIds[how.pick % 2] ?? 0);
}

/** Chooses one of the desks of the same company. */
export function deskOf({ cashboxIds, branch }: Day, how: How): number {
  return isAtBranch(how) ? branch.cashboxId : (cashboxIds[how.pick % 3] ?? 0);
}

/** Chooses one of the clients. */
export function clientOf({ clientIds }: Day, { pick }: How): { readonly client_id: number } {
  return { client_id: clientIds[pick % clientIds.length] ?? 0 };
}

/** Gives the company of both. */
export function companyOf({ companyId, branch }: Day, how: How): number {
  return isAtBranch(how) ? branch.companyId : companyId;
}

/** Tells whether it is done in the branch. */
export function isAtBranch({ pick }: How): boolean {
  return pick % 5 === 0;
}

/** Chooses one of those that will do. */
export function chosen<T>(all: readonly T[], { pick }: How, will: (each: T) => boolean): T | undefined {
  const able = all.filter(will);
  return able[pick % able.length];
}

/** Asks with a payment that is never right, and is told the right one, and whether it is to be paid out. */
export async function totalAsked(ask: (guess: object[]) => Promise<unknown>) {
  try {
    await ask([{ payment_type: 'cash', amount: 0.01 }]);
  } catch (error) {
    const phrase = error instanceof ApiError ? error.fields['transactions'] : undefined;
    if (phrase?.with?.['total'] === undefined) throw error;
    return { total: Number(phrase.with['total']), isPayout: phrase.key === 'return.payments_differ' };
  }
  throw new Error('A hundredth of a sum was enough');
}
