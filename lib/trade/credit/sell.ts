import { createHash } from 'node:crypto';
import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { bonusTermsOf } from '#lib/clients/bonus-terms.ts';
import { clientByPhone } from '#lib/clients/client-by-phone.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { type Key, recordKey, uniqueNameKey } from '#lib/table/keys.ts';
import { getItem, getItems, getSettled } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { priceAgreed } from '#lib/trade/pricing/lines.ts';
import { Agreement } from '#lib/trade/sale/agreement.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { applyPayments, paymentsIn, type SettledPayments } from '#lib/trade/sale/payments.ts';
import { quantitiesTaken } from '#lib/trade/sale/quantities.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { readSaleContext } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { throwIfInvalid, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { CreditInput } from './agreement.ts';

/** A sale as the credit system sees it. Contract 3. */
export const CreditSale = Sale.pick({ id: true, status: true, code: true }).extend({
  external_id: z.string(),
});

type CreditSale = z.input<typeof CreditSale>;

const Sold = z.object({ id: z.int(), terms: z.string() });

/**
 * Sells on credit, at the prices agreed upon: the client pays `initial_payment` in cash, the credit company
 * the rest by bank. The client is the family's with that main phone, or made in the same transaction. The
 * same `external_id` again gives the same sale, while a count has closed the warehouse or no shift is open,
 * too, which are 400 for a new one. 422 with all failing fields. Contract 3.
 */
export async function sellOnCredit(actor: Staff, input: CreditInput, at: Instant): Promise<CreditSale> {
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const reading = inBackground(readSale(actor, input, at, issues));
    const [made] = await Promise.all([findSold(actor, input), Promise.allSettled([reading])]);
    // A sale that was made is told, whatever would keep it from being made now.
    if (made) return made;
    try {
      return await makeSale(actor, input, await reading, issues);
    } catch (error) {
      // It may be that the same request was faster, and took the very goods that are short now.
      const earlier = error instanceof ApiError ? await findSold(actor, input, getSettled) : undefined;
      if (earlier) return earlier;
      throw error;
    }
  });
}

/** Makes a sale on credit of what was read for it. */
async function makeSale(
  actor: Staff,
  input: CreditInput,
  { head, payments, basis, clientWrites }: Awaited<ReturnType<typeof readSale>>,
  issues: ValidationIssues,
): Promise<CreditSale> {
  const { tenant } = actor;
  const lines = priceAgreed(input.products, basis, issues);
  await checkAccuracy(actor, quantitiesTaken(input.products, basis.stockLevels), issues, basis.products);
  const marks = validateTrackingCodes({ ...input, bundles: [] }, lines, basis.products, issues);
  const goods = takeGoods(basis, lines, { ...head, marks }, issues);
  checkTotal(input, issues);
  const paid = applyPayments(basis, payments, head, issues);
  if (issues.areAny) await throwIfInvalid(tenant, { sold: goods.marks }, issues);

  const sale = newSale(basis, head, goods, paid);
  await transact([
    ...saleWrites(tenant, basis, { sale, goods, paid }, null),
    ...trackingCodeWrites(tenant, sale.id, goods.marks),
    ...clientWrites,
    externalIdWrite(actor, input, sale),
  ]);
  return { id: sale.id, external_id: input.external_id, status: sale.status, code: sale.code };
}

/** Reads what a sale on credit rests on, with its client, and draws its ids. */
async function readSale(actor: Staff, input: CreditInput, at: Instant, issues: ValidationIssues) {
  const { full_name, phone: main_phone } = input.client;
  const payments = paymentsFor(input);
  const [client, ids, read] = await Promise.all([
    clientByPhone(actor, { full_name, main_phone }, at),
    drawSaleIds(actor.tenant, payments),
    readSaleContext(actor, { ...input, client_id: null, bundles: [] }, issues),
  ]);
  const bonusTerms = await bonusTermsOf(actor.tenant, client, read.desk.company_id);
  const basis = { ...read, clientSums: client.sums, bonusTerms };
  const source_data = Agreement.parse({ ...input, system: actor.username });
  const agreed = { source_type: 'credit', source_data, hold_id: null, comment: null } as const;
  const sold = { key: null, sold_at: at };
  const head = { ids, maker: makerOf(actor), client_id: client.id, ...agreed, ...sold, at };
  return { head, payments, basis, clientWrites: client.writes };
}

function totalOf({ products }: CreditInput): MinorUnits {
  return products.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
}

function paymentsFor(input: CreditInput): SettledPayments {
  const { initial_payment, currency } = input;
  const payments = [
    { payment_type: 'cash', amount: initial_payment, path: 'initial_payment' } as const,
    { payment_type: 'bank', amount: totalOf(input) - initial_payment, path: 'products' } as const,
  ];
  return paymentsIn(
    currency,
    payments.filter(({ amount }) => amount > 0),
  );
}

/** Checks that the client pays less than the total at once. */
function checkTotal(input: CreditInput, issues: ValidationIssues): void {
  const total = totalOf(input);
  if (total > MAX_AMOUNT) issues.add('products', 'sale.amount_too_large');
  else if (input.initial_payment >= total) {
    issues.add('initial_payment', { key: 'validation.not_below', with: { max: total / 100 } });
  }
}

/**
 * Finds the sale that was made by an external id and the same key. Two round trips, one if there is none. 409
 * if that was of another agreement, client or goods. Contract 9.85.
 */
async function findSold(
  actor: Staff,
  input: CreditInput,
  read: typeof getSettled = getItems,
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

/** Builds the write by which a sale has its external id. `Contention` if another has it by now. */
function externalIdWrite(actor: Staff, input: CreditInput, { id }: Pick<CreditSale, 'id'>): Write {
  return putNew(keyOf(actor, input.external_id), { id, terms: termsOf(input) });
}

// As it was sent: unlike names, another system's ids may differ by letter case alone.
function keyOf({ tenant, externalKey }: Staff, externalId: string): Key {
  return uniqueNameKey(sales.type, `${tenant}#key-${externalKey?.id ?? 0}`, 'external_id', externalId);
}

/** Makes what tells a sale from another with the same id. A client is known by their phone. */
function termsOf({ agreement_number, agreement_date, months, client, ...sold }: CreditInput): string {
  const { initial_payment, currency } = sold;
  const products = sold.products.toSorted((a, b) => a.product_id - b.product_id);
  const agreement = { agreement_number, agreement_date, months, initial_payment, currency };
  const terms = { ...agreement, phone: client.phone, pinfl: client.pinfl, products };
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url');
}
