import type { Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import type { Write } from '#lib/table/change/write.ts';
import { idempotentBy } from '#lib/table/transaction/idempotent-by.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { VersionedRefusedSale } from '#lib/trade/refused/record.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { paymentsOf } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { readSaleContext, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds } from '#lib/trade/sale/write.ts';
import { requirePlan } from '#lib/trade/tracking-codes/claims.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideSale, type SaleFacts, type SaleOccasion, salePlanWrites } from './decide-sale.ts';
import {
  deskRefusal,
  findIfKeyed,
  readSettledClaim,
  replaySale,
  type SaleKeyOutcome,
  type SaleOutcome,
} from './idempotent-sale.ts';
import { type RedeemedHold, readRedeemed, requireSameLines } from './redeem-hold.ts';
import { readSeller } from './seller.ts';
import { updateIfWaiting } from './store-refused.ts';

/** How a sale arrives. */
export interface Arrival extends Omit<SaleOccasion, 'at' | 'waiting'> {
  /** Builds the writes that save the response for idempotent replays. */
  readonly saveResponse: (sale: Sale, was?: VersionedRefusedSale) => Write[];
}

/**
 * Sells goods: takes them from the warehouse, the oldest batches first, and posts the payments to the desk,
 * in one transaction; 422 with all failing fields. A sale whose key was sent before is returned as it is
 * now, even if it could not be made now; a refused one that waits is tried again, and updated if refused
 * again. Contract 5; Part 4, 4.4.
 */
export function sell(actor: Staff, input: SaleInput, at: Instant, arrival: Arrival): Promise<SaleOutcome> {
  const { tenant } = actor;
  return idempotentBy<SaleKeyOutcome | undefined, SaleFacts, SaleOutcome>({
    find: (isSettled) => findIfKeyed(actor, input, arrival, isSettled ? readSettledClaim : undefined),
    replay: (known) => known?.sale && replaySale(actor, known.sale, input, at),
    readFacts: () => readSale(actor, input, at),
    make: async (facts, known) => {
      const waiting = known?.waiting;
      const plan = await requirePlan(tenant, decideSale(actor, input, facts, { ...arrival, waiting, at }));
      await transact([...salePlanWrites(tenant, plan), ...arrival.saveResponse(plan.sale, waiting)]);
      return { sale: plan.sale, isReplayed: false, was: waiting };
    },
    refuse: async (refusal, known) => {
      if (!known) return refusal;
      if (!known.desk) return deskRefusal(refusal);
      return updateIfWaiting(actor, input, known, { ...arrival, refusal, at });
    },
  });
}

/**
 * Reads the facts of a sale: the hold that it redeems, if any, then everything else, and draws its ids. A
 * preview moves no money, and so needs no open shift.
 */
export async function readSale(
  actor: Staff,
  input: SaleInput & { readonly movesMoney?: boolean },
  at: Instant,
): Promise<SaleFacts> {
  const { hold_id, sold_at } = input;
  const named = hold_id === null ? {} : await readRedeemed(actor, { ...input, hold_id });
  const { redeemed } = named;
  const ofHold = { setAside: redeemed?.lines, ownCurrency: redeemed?.hold.currency };
  const [ids, basis, seller] = await Promise.all([
    drawSaleIds(actor.tenant, paymentsOf(input)),
    readSaleContext(actor, { ...input, ...ofHold, isOffline: sold_at !== null }),
    readSeller(actor, input, at),
    redeemed && requireSameLines(actor.tenant, redeemed),
  ]);
  const quantities = sold_at === null ? quantitiesOf(input, basis, redeemed) : [];
  const accuracies = await readAccuracies(actor, quantities, basis.products);
  return { ...named, ids, basis, seller, quantities, accuracies };
}

/** Lists the quantities of a sale's products; the goods of its hold are free for it. */
function quantitiesOf({ products }: SaleInput, { stockLevels }: SaleContext, redeemed?: RedeemedHold) {
  const held = redeemed?.lines ?? [];
  const quantityOnHold = (productId: number) =>
    held.reduce((sum, { product_id, quantity }) => (product_id === productId ? sum + quantity : sum), 0);
  return quantitiesTaken(products, { free: (id) => stockLevels.free(id) + quantityOnHold(id) }, held);
}
