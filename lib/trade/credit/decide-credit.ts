import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import type { clientByPhone } from '#lib/clients/client-by-phone.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { priceAgreed } from '#lib/trade/pricing/lines.ts';
import { applyPayments } from '#lib/trade/sale/decide-payments.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { paymentsIn, type SettledPayments } from '#lib/trade/sale/payments.ts';
import { Agreement } from '#lib/trade/sale/record.ts';
import { checkContext, type SaleContext, type SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { issueOfTendered } from '#lib/trade/sale/tendered.ts';
import { type CompletedSale, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Decision, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { CreditInput } from './agreement.ts';

/** Data that a sale on credit is decided by, as read; its client may be new. */
export interface CreditFacts {
  readonly ids: SaleHeader['ids'];
  readonly basis: SaleContext;
  readonly client: Awaited<ReturnType<typeof clientByPhone>>;
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/** A valid sale on credit, with all that its writes need. */
interface CreditPlan extends CompletedSale, Pick<CreditFacts, 'basis' | 'client'> {}

/** Decides a sale on credit: its plan, or all its issues. */
export function decideCredit(
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
export function creditWrites(tenant: Tenant, plan: CreditPlan): Write[] {
  const { sale, goods, basis, client } = plan;
  return [
    ...saleWrites(tenant, basis, plan, null),
    ...trackingCodeWrites(tenant, sale.id, goods.marks),
    ...client.writes,
  ];
}

function totalOf({ products }: CreditInput): MinorUnits {
  return products.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
}

/** Lists the payments of a sale on credit: the first by cash, the rest by bank. */
export function paymentsFor(input: CreditInput): SettledPayments {
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
