import * as z from 'zod';
import { type Actor, isIn } from '#lib/auth/actor.ts';
import { previewCharges } from '#lib/billing/charge.ts';
import { CurrencyRate, companyRates, rowsOf } from '#lib/cash/company-rates.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { mainDesk } from '#lib/cash/desk/main.ts';
import { Partner, partnerEmbed } from '#lib/people/company/partner.ts';
import { CompanyWithParent, companies, parentEmbed } from '#lib/people/company/record.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { findRecord } from '#lib/records/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';

const Company = CompanyWithParent.extend({ partner: Partner.nullish() });

/** A company in its own users' profile. Part 1, "User"; Part 1, "Profile of the current user". */
export const OwnCompany = Company.extend({
  /** Balance of its subscription, negative for a debt; null without a tariff. */
  balance: Money.nullable(),
  main_cashbox: Desk.nullable(),
  currencies: z.array(CurrencyRate),
  /** Rate of its desks' currency. */
  cashbox_rate: CurrencyRate.nullable(),
});

/** Reads the caller's company, even a deleted one; null for callers without one. */
export async function ownCompany(actor: Actor, at: Instant): Promise<z.input<typeof OwnCompany> | null> {
  if (!isIn('company', actor)) return null;
  const { tenant, companyId, familyId } = actor;
  const [company, main_cashbox, rates, charged] = await Promise.all([
    findRecord({ type: companies, tenant: PLATFORM, id: companyId }),
    mainDesk(actor),
    findRecord({ type: companyRates, tenant, id: companyId }),
    previewCharges(familyId, at),
  ]);
  if (!company) return null;
  const [whole] = await embed([company], [parentEmbed, partnerEmbed]);
  const currencies = rates ? rowsOf(rates) : [];
  const cashbox_rate = currencies.find(({ is_sale }) => is_sale) ?? null;
  const balance = charged?.tariff.balance ?? null;
  return { ...parseStored(Company, whole), balance, main_cashbox, currencies, cashbox_rate };
}
