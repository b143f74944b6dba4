import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { bonusTermsOf } from '#lib/clients/bonus-terms.ts';
import { clientByPhone } from '#lib/clients/client-by-phone.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { type Key, recordKey, uniqueNameKey } from '#lib/table/keys.ts';
import { getItem, getItems, getSettled } from '#lib/table/read/get.ts';
import { idempotentBy } from '#lib/table/transaction/idempotent-by.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { readSaleContext } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds } from '#lib/trade/sale/write.ts';
import { requirePlan } from '#lib/trade/tracking-codes/claims.ts';
import { ApiError } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { CreditInput } from './agreement.ts';
import { type CreditFacts, creditWrites, decideCredit, paymentsFor } from './decide-credit.ts';

/** Sale as shown to the credit system. Contract 3. */
export const CreditSale = Sale.pick({ id: true, status: true, code: true }).extend({
  external_id: z.string(),
});

type CreditSale = z.input<typeof CreditSale>;

const Sold = z.object({ id: z.int(), terms: z.string() });

/**
 * Sells on credit at agreed prices: the client pays `initial_payment` in cash, the credit company the rest by
 * bank. The client is the family's with that main phone, or is created in the same transaction. The same
 * `external_id` returns the same sale, even while a stocktake has closed the warehouse or no shift is open,
 * which are 400 for a new one. 422 with all failing fields. Contract 3.
 */
export function sellOnCredit(actor: Staff, input: CreditInput, at: Instant): Promise<CreditSale> {
  const { tenant } = actor;
  return idempotentBy<CreditSale | undefined, CreditFacts, CreditSale>({
    find: (isSettled) => findSold(actor, input, isSettled ? getSettled : getItems),
    replay: (known) => known,
    readFacts: () => readSale(actor, input, at),
    make: async (facts) => {
      const plan = await requirePlan(tenant, decideCredit(actor, input, facts, at));
      await transact([...creditWrites(tenant, plan), externalIdWrite(actor, input, plan.sale)]);
      const { id, status, code } = plan.sale;
      return { id, external_id: input.external_id, status, code };
    },
  });
}

/** Reads the facts of a sale on credit, and draws its ids. */
async function readSale(actor: Staff, input: CreditInput, at: Instant): Promise<CreditFacts> {
  const { full_name, phone: main_phone } = input.client;
  const [client, ids, read] = await Promise.all([
    clientByPhone(actor, { full_name, main_phone }, at),
    drawSaleIds(actor.tenant, paymentsFor(input)),
    readSaleContext(actor, { ...input, client_id: null, bundles: [] }),
  ]);
  const quantities = quantitiesTaken(input.products, read.stockLevels);
  const [bonusTerms, accuracies] = await Promise.all([
    bonusTermsOf(actor.tenant, client, read.desk.company_id),
    readAccuracies(actor, quantities, read.products),
  ]);
  return { ids, basis: { ...read, clientSums: client.sums, bonusTerms }, client, quantities, accuracies };
}

/**
 * Finds the sale with an external id of the same API key. Two round trips, one if there is none. 409 if its
 * agreement, client or goods differ. Contract 9.85.
 */
async function findSold(
  actor: Staff,
  input: CreditInput,
  read: typeof getSettled,
): Promise<CreditSale | undefined> {
  const { external_id } = input;
  const [claim] = await read([keyOf(actor, external_id)]);
  const sold = Sold.safeParse(claim).data;
  if (!sold) return undefined;
  if (sold.terms !== termsOf(input)) throw new ApiError(409, { key: 'credit.external_id_taken' });
  const sale = await getItem(recordKey(sales.type, actor.tenant, sold.id));
  if (!sale) throw new NotYet();
  return CreditSale.parse({ ...sale, external_id });
}

/** Builds the write that claims an external id for a sale. `Contention` if another sale has claimed it. */
function externalIdWrite(actor: Staff, input: CreditInput, { id }: Pick<CreditSale, 'id'>): Write {
  return putNew(keyOf(actor, input.external_id), { id, terms: termsOf(input) });
}

// Not normalized: unlike names, ids of another system may differ only by letter case.
function keyOf({ tenant, externalKey }: Staff, externalId: string): Key {
  return uniqueNameKey(sales.type, `${tenant}#key-${externalKey?.id ?? 0}`, 'external_id', externalId);
}

/**
 * Returns the fingerprint of a sale on credit. A client is identified by their phone; cash as handed over is
 * not compared. Part 5, 5.0, 5.
 */
function termsOf({ agreement_number, agreement_date, months, client, ...sold }: CreditInput): string {
  const { initial_payment, currency } = sold;
  const products = sold.products.toSorted((a, b) => a.product_id - b.product_id);
  const agreement = { agreement_number, agreement_date, months, initial_payment, currency };
  const terms = { ...agreement, phone: client.phone, pinfl: client.pinfl, products };
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url');
}
