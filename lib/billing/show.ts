import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { type MinorUnits, Money } from '#lib/values/money.ts';
import { dayOf, daysBetween, type Instant, Timestamp } from '#lib/values/time.ts';
import type { Charged } from './charge.ts';
import { BillingPeriod, priceFor, startDay } from './period.ts';
import { blockAfter, nextLength, nextStart, Prices } from './record.ts';
import { openBranches } from './subscribers.ts';

/** A company's tariff as shown to its own users. Part 3, "Subscription tariff". */
export const Tariff = z.object({
  client: z.object({
    full_name: z.string(),
    inn: z.string().nullable(),
    agreement_number: z.string().nullable(),
    agreement_date: z.string().nullable(),
    phone: z.string().nullable(),
  }),
  status: enumeration('tariff.status', ['trial', 'active', 'blocked']),
  is_blocked: z.boolean(),
  /** Time at which a debt blocks or has blocked; null without a debt. */
  block_at: Timestamp.nullable(),
  /** True if that is in the future. */
  block_scheduled: z.boolean(),
  billing_period: BillingPeriod,
  pending_billing_period: BillingPeriod.nullable(),
  pending_billing_period_at: z.string().nullable(),
  balance: Money,
  debt: Money,
  due_now: Money,
  amount_to_pay: Money,
  recommended_payment: z.object({
    amount: Money,
    current_period_amount: Money,
    next_period_amount: Money,
    next_period_starts_at: z.string(),
    is_prorated: z.boolean(),
  }),
  monthly_total: Money,
  yearly_total: Money,
  period_total: Money,
  days_until_next_charge: z.int(),
  next_payment_at: z.string(),
  trial_ends_at: z.string().nullable(),
  breakdown: z.array(z.object({ title: z.string(), amount: Money, is_filial: z.boolean() })),
});

/** A company's tariff as shown to an administrator. */
export const TariffTerms = Tariff.extend({
  company_id: z.int(),
  prices: Prices,
  grace_days: z.int(),
});

/** Builds the response of a charged tariff, with all derived figures. */
export function showTariff({ tariff, subscribers }: Charged, at: Instant): z.input<typeof Tariff> {
  const { balance, debt_since, grace_days, billing_period, pending_billing_period, trial_ends_at } = tariff;
  const today = dayOf(at);
  const next_payment_at = startDay(nextStart(tariff));
  const block_at = debt_since === null ? null : blockAfter(debt_since, grace_days);
  const is_blocked = block_at !== null && block_at <= at;
  const isTrial = trial_ends_at !== null && today < trial_ends_at;
  const breakdown = breakdownOf(tariff, subscribers);
  const monthly_total = monthlyTotal(tariff, subscribers);
  const payment = recommendPayment({ tariff, subscribers }, monthly_total);
  return {
    client: clientOf(subscribers),
    status: is_blocked ? 'blocked' : isTrial ? 'trial' : 'active',
    is_blocked,
    block_at,
    block_scheduled: block_at !== null && !is_blocked,
    billing_period,
    pending_billing_period,
    pending_billing_period_at: pending_billing_period === null ? null : next_payment_at,
    balance,
    debt: debtOf(balance),
    due_now: debtOf(balance),
    amount_to_pay: payment.amount,
    recommended_payment: payment,
    monthly_total,
    yearly_total: priceFor('yearly', monthly_total),
    period_total: priceFor(billing_period, monthly_total),
    days_until_next_charge: daysBetween(today, next_payment_at),
    next_payment_at,
    trial_ends_at,
    breakdown,
  };
}

/** Builds the same response with the terms set by an administrator. */
export function showTerms(charged: Charged, at: Instant): z.input<typeof TariffTerms> & { version: number } {
  const { id: company_id, prices, grace_days, terms_version: version } = charged.tariff;
  return { ...showTariff(charged, at), company_id, prices, grace_days, version };
}

/** Computes the debt of periods begun, and the price of the next period beyond the balance. */
function recommendPayment({ tariff }: Charged, monthly: MinorUnits) {
  const { balance, period } = tariff;
  const owed = debtOf(balance);
  const next = priceFor(nextLength(tariff), monthly);
  const lacking = Math.max(0, next - Math.max(0, balance));
  return {
    amount: owed + lacking,
    current_period_amount: owed,
    next_period_amount: lacking,
    next_period_starts_at: startDay(nextStart(tariff)),
    is_prorated: owed > 0 && period?.is_prorated === true,
  };
}

function breakdownOf({ prices, billing_period }: Charged['tariff'], subscribers: Charged['subscribers']) {
  const line = (title: string, monthly: MinorUnits, is_filial: boolean) => ({
    title,
    amount: priceFor(billing_period, monthly),
    is_filial,
  });
  const branches = openBranches(subscribers).map(({ name }) => line(name, prices.branch, true));
  return [line(subscribers.main.name, prices.main, false), ...branches];
}

function monthlyTotal({ prices }: Charged['tariff'], subscribers: Charged['subscribers']): MinorUnits {
  return prices.main + openBranches(subscribers).length * prices.branch;
}

function clientOf({ main }: Charged['subscribers']) {
  const { name, company_name, inn, agreement_number, agreement_date, phone } = main;
  return { full_name: company_name ?? name, inn, agreement_number, agreement_date, phone };
}

function debtOf(balance: MinorUnits): MinorUnits {
  return Math.max(0, -balance);
}
