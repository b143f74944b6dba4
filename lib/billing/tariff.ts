import * as z from 'zod';
import type { Administrator, Staff } from '#lib/auth/actor.ts';
import * as companies from '#lib/people/company/company.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { requireVersion } from '#lib/records/precondition.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, invalid, notFound } from '#lib/values/api-error.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, MAX_AMOUNT } from '#lib/values/money.ts';
import { dayOf, daysBetween, type Instant } from '#lib/values/time.ts';
import { type Charged, charge } from './charge.ts';
import { changeWritesOf, tariffAfter } from './entry.ts';
import { type StoredTariff, type TariffInput, tariffInsertion, tariffReplacement } from './record.ts';
import { showTariff, showTerms, Tariff, type TariffTerms } from './show.ts';

/** Path parameters of a company's tariff. */
export const TariffParams = z.object({ company: Id });

/** A tariff, or an empty object if none is set. Part 3, "Subscription tariff and payment". */
export const TariffIfAny = z.union([Tariff, z.strictObject({})]);

/** Input to adjust a company's balance manually; negative to correct. Contract 9.54. */
export const DepositInput = z.object({
  amount: amount(-MAX_AMOUNT / 100).refine((cents) => cents !== 0, { error: 'validation.invalid' }),
  comment: optionalText(1000),
});

/** Latest end of a trial, in days from today. */
const MAX_TRIAL_DAYS = 3653;

/** Reads the tariff of the caller's family, after all due charges. */
export async function get({ familyId }: Staff, at: Instant): Promise<z.input<typeof TariffIfAny>> {
  const charged = await charge(familyId, at);
  return charged ? showTariff(charged, at) : {};
}

/** Reads a company's tariff; for a branch, its main company's. 404 without one. */
export async function getTerms(actor: Administrator, companyId: number, at: Instant) {
  return showTerms(await chargeFor(actor, companyId, at), at);
}

/** Applies all charges due of a company's tariff; of a branch's, its main company's. 404 without one. */
export async function chargeFor(actor: Administrator, companyId: number, at: Instant): Promise<Charged> {
  const { id, parent_id } = await companies.get(actor, companyId);
  const charged = await charge(parent_id ?? id, at);
  if (!charged) throw notFound();
  return charged;
}

/**
 * Sets a company's tariff. Prices apply to future charges; a changed billing period applies from the next
 * charge. 400 for a branch, 412 if the terms have changed since the caller read them, 422 on a trial that
 * ends more than ten years from now.
 */
export async function setTerms(
  actor: Administrator,
  companyId: number,
  input: z.output<typeof TariffInput>,
  at: Instant,
): Promise<z.input<typeof TariffTerms>> {
  await requireMain(actor, companyId);
  const today = dayOf(at);
  const { trial_ends_at } = input;
  if (trial_ends_at !== null && Math.abs(daysBetween(today, trial_ends_at)) > MAX_TRIAL_DAYS) {
    throw invalid({ trial_ends_at: 'validation.invalid' });
  }
  await retryOnContention(async () => {
    // Periods that have begun are charged by the former terms.
    const before = (await charge(companyId, at))?.tariff;
    const terms_version = before?.terms_version ?? 0;
    requireVersion({ version: terms_version });
    if (!before) return transact([tariffInsertion(newTariff(companyId, input, at))]);
    const { billing_period, ...terms } = input;
    const isSame = billing_period === before.billing_period;
    const pending_billing_period = isSame ? null : billing_period;
    const starts_on = before.period ? before.starts_on : today;
    const changes = { pending_billing_period, starts_on, terms_version: terms_version + 1, updated_at: at };
    return transact([tariffReplacement(before, { ...before, ...terms, ...changes })]);
  });
  return getTerms(actor, companyId, at);
}

/**
 * Adjusts a company's balance manually. 404 without a tariff, 400 for a branch, 422 on an amount that would
 * exceed the balance's limit.
 */
export async function deposit(
  actor: Administrator,
  { company, amount, comment }: z.output<typeof DepositInput> & z.output<typeof TariffParams>,
  at: Instant,
  saveResponse: (answer: unknown) => Write[],
): Promise<z.input<typeof TariffTerms>> {
  await requireMain(actor, company);
  return retryOnContention(async () => {
    const charged = await charge(company, at);
    if (!charged) throw notFound();
    const entry = { comment, creator_id: actor.id };
    const change = { type: 'deposit', amount, day: dayOf(at), entry } as const;
    const tariff = tariffAfter(charged.tariff, change);
    if (Math.abs(tariff.balance) > MAX_AMOUNT) throw invalid({ amount: BALANCE_TOO_LARGE });
    const answer = showTerms({ ...charged, tariff }, at);
    await transact([...changeWritesOf(charged.tariff, change, at), ...saveResponse(answer)]);
    return answer;
  });
}

function newTariff(id: number, input: z.output<typeof TariffInput>, at: Instant): StoredTariff {
  return {
    ...input,
    id,
    pending_billing_period: null,
    balance: 0,
    debt_since: null,
    starts_on: dayOf(at),
    period: null,
    block_at: null,
    last_entry: 0,
    terms_version: 1,
    external_id: null,
    created_at: at,
    updated_at: at,
  };
}

async function requireMain(actor: Administrator, companyId: number): Promise<void> {
  const { parent_id } = await companies.get(actor, companyId);
  if (parent_id !== null) throw badRequest('tariff.of_branch');
}
