import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { Company, keyOfCompany } from '#lib/people/company/company.ts';
import { familyEmbeds, familyFilters, familyIndexes, familyRecordFields } from '#lib/people/family-record.ts';
import { substring } from '#lib/records/filters.ts';
import { embedQuery, listQuery } from '#lib/records/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { isDeletion, unreferred } from '#lib/records/references.ts';
import { vouched } from '#lib/records/stored.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/reads.ts';
import { text } from '#lib/values/fields.ts';
import { amount, Money } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { BonusTerms } from './bonuses.ts';
import { ClientSums, clientSumsKey } from './client-sums.ts';

/** A client's share of what is paid, as bonuses; `percent` is held in 1/100. Decisions, 7, "Bonus tariff". */
export const BonusTariff = z.object({ ...familyRecordFields, name: z.string(), percent: Money });

/** Input to make or edit a bonus tariff. */
export const BonusTariffInput = z.object({ name: text(255), percent: amount(0.01, 100) });

type BonusTariffInput = z.output<typeof BonusTariffInput>;

const TYPE = 'bonus-tariff';

/** Record type of bonus tariffs. */
export const bonusTariffs: RecordType<typeof BonusTariff> = {
  type: TYPE,
  schema: BonusTariff,
  indexes: familyIndexes,
  names: ({ name }, home) => [{ path: 'name', scope: home, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) =>
    isDeletion(before, after) ? [unreferred(TYPE, home, after.id, refuse('bonus_tariff.in_use'))] : [],
};

/** The list's query string. */
export const BonusTariffList = listQuery({
  filters: { ...familyFilters, name: substring('name') },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  pageSize: 20,
});

/** The query string of a single bonus tariff. */
export const BonusTariffEmbeds = embedQuery({ embeds: familyEmbeds });

const records = recordsOf(bonusTariffs, ofFamily);

/**
 * List, get, delete and restore the family's bonus tariffs. Deleting one that a client has, deleted or not,
 * is 400.
 */
export const { list, get, remove, restore } = records;

/** Reads by which terms a client earns in a company; undefined without a tariff. One round trip. */
export async function bonusTermsOf(
  home: Home,
  { bonus_tariff_id: tariffId }: { readonly bonus_tariff_id: number | null },
  companyId: number,
): Promise<BonusTerms | undefined> {
  if (tariffId === null) return undefined;
  const [tariff, company] = await getItems([recordKey(TYPE, home, tariffId), keyOfCompany(companyId)]);
  const { percent } = vouched(BonusTariff, tariff);
  return { percent, months: vouched(Company, company).bonus_entry_period };
}

/** Reads the same with the sums of the client, for whoever has not read them. One round trip. */
export async function readEarner(
  home: Home,
  client: { readonly id: number; readonly bonus_tariff_id: number | null },
  companyId: number,
) {
  if (client.bonus_tariff_id === null) return { clientSums: undefined, bonusTerms: undefined };
  const [sums, bonusTerms] = await Promise.all([
    getItem(clientSumsKey(home, client.id)),
    bonusTermsOf(home, client, companyId),
  ]);
  return { clientSums: ClientSums.parse(sums), bonusTerms };
}

/** Makes a bonus tariff. 422 on a name that the family has. */
export function create(actor: Staff, input: BonusTariffInput, at: Instant) {
  return records.insert(actor, at, (base) => ({ ...base, ...input }));
}

/** Changes a bonus tariff, for sales to come. 422 as for a new one. */
export function edit(actor: Staff, id: number, input: BonusTariffInput, at: Instant) {
  return records.change(actor, id, at, (before) => ({ ...before, ...input }));
}
