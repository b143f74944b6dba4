import { createHash } from 'node:crypto';
import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured, readAccuracies } from '#lib/catalog/accuracy.ts';
import { bonusTermsOf } from '#lib/clients/bonus-terms.ts';
import { clientByPhone } from '#lib/clients/client-by-phone.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { type Key, recordKey, type Tenant, uniqueNameKey } from '#lib/table/keys.ts';
import { getItem, getItems, getSettled } from '#lib/table/read/get.ts';
import { idempotentBy } from '#lib/table/transaction/idempotent-by.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { priceAgreed } from '#lib/trade/pricing/lines.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import { applyPayments } from '#lib/trade/sale/decide-payments.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { paymentsIn, type SettledPayments } from '#lib/trade/sale/payments.ts';
import { Agreement, Sale, sales } from '#lib/trade/sale/record.ts';
import {
  checkContext,
  readSaleContext,
  type SaleContext,
  type SaleHeader,
} from '#lib/trade/sale/sale-context.ts';
import { issueOfTendered } from '#lib/trade/sale/tendered.ts';
import { type CompletedSale, drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Decision, requirePlan, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { CreditInput } from './agreement.ts';

/** Sale as shown to the credit system. Contract 3. */
export const CreditSale = Sale.pick({ id: true, status: true, code: true }).extend({
  external_id: z.string(),
});

type CreditSale = z.input<typeof CreditSale>;

const Sold = z.object({ id: z.int(), terms: z.string() });

/** Data that a sale on credit is decided by, as read; its client may be new. */
interface CreditFacts {
  readonly ids: SaleHeader['ids'];
  readonly basis: SaleContext;
  readonly client: Awaited<ReturnType<typeof clientByPhone>>;
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/** A valid sale on credit, with all that its writes need. */
interface CreditPlan extends CompletedSale, Pick<CreditFacts, 'basis' | 'client'> {}

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

/** Decides a sale on credit: its plan, or all its issues. */
function decideCredit(
  actor: Staff,
  input: CreditInput,
  facts: CreditFacts,
  at: Instant,
): Decision<CreditPlan> {
  const { ids, client } = facts;
  const basis = { ...facts.basis, stockLevels: facts.basis.stockLevels.copy() };
  const source_data = Agreement.parse({ ...input, system: actor.username });
  const agreed = { source_type: 'credit', source_data, hold_id: null, comment: null } as const;
  const sold = { key: null, sold_at: at };
  const head = { ids, maker: makerOf(actor), client_id: client.id, ...agreed, ...sold, at };
  const issues = new ValidationIssues();

  checkContext({ client_id: null, currency: input.currency }, basis, issues);
  const lines = priceAgreed(input.products, basis, issues);
  checkDecimals(facts.quantities, facts.accuracies, issues);
  const marks = validateTrackingCodes({ ...input, bundles: [] }, lines, basis.products, issues);
  const goods = takeGoods(basis, lines, { ...head, marks, offers: basis }, issues);
  checkInitialPayment(input, issues);
  checkTenderedFor(input, issues);
  const paid = applyPayments(basis, paymentsFor(input), head, issues);
  if (issues.areAny) return { issues, sold: goods.marks };
  return { plan: { sale: newSale(basis, head, goods, paid), goods, paid, basis, client } };
}

/** Builds all writes of a sale on credit, apart from its external id. */
function creditWrites(tenant: Tenant, plan: CreditPlan): Write[] {
  const { sale, goods, basis, client } = plan;
  return [
    ...saleWrites(tenant, basis, plan, null),
    ...trackingCodeWrites(tenant, sale.id, goods.marks),
    ...client.writes,
  ];
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

function totalOf({ products }: CreditInput): MinorUnits {
  return products.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
}

function paymentsFor(input: CreditInput): SettledPayments {
  const { initial_payment, tendered_amount, currency } = input;
  const payments = [
    { payment_type: 'cash', amount: initial_payment, tendered_amount, path: 'initial_payment' } as const,
    { payment_type: 'bank', amount: totalOf(input) - initial_payment, path: 'products' } as const,
  ];
  return paymentsIn(
    currency,
    payments.filter(({ amount }) => amount > 0),
  );
}

/** Validates that the initial payment is less than the total. */
function checkInitialPayment(input: CreditInput, issues: ValidationIssues): void {
  const total = totalOf(input);
  if (total > MAX_AMOUNT) issues.add('products', 'sale.amount_too_large');
  else if (input.initial_payment >= total) {
    issues.add('initial_payment', { key: 'validation.not_below', with: { max: total / 100 } });
  }
}

/** Validates the cash handed over for the initial payment, which is in the currency of the sale. */
function checkTenderedFor({ initial_payment, tendered_amount }: CreditInput, issues: ValidationIssues): void {
  const issue = tendered_amount === null ? undefined : issueOfTendered(initial_payment, tendered_amount);
  if (issue) issues.add('tendered_amount', issue);
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
