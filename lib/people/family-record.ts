import { AccountStanding } from '#lib/auth/account.ts';
import { canReach } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { Colleague, creatorEmbed, nameOfUserItem } from '#lib/people/user/colleague.ts';
import { exact, exactOrList, period } from '#lib/records/query/filters.ts';
import { linkColumn } from '#lib/records/sheet/column.ts';
import { companyRecordFields, parseStored } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';

/** Fields of every record of a family, with those that `with[]` may add. */
export const familyRecordFields = {
  ...companyRecordFields,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
};

/** Filters of every list of a family's records. */
export const familyFilters = {
  id: exactOrList('id', Id),
  creator_id: exact('creator_id', Id),
  company_id: exact('company_id', Id),
  created_at: period('created_at'),
};

/** Embeds of every family record. */
export const familyEmbeds = { 'creator.profile': creatorEmbed, company: companyEmbed };

/** Workbook columns of every family record: its company and creator. */
export const companyColumn = linkColumn('column.company', companyEmbed);
export const creatorColumn = linkColumn('column.creator', creatorEmbed, nameOfUserItem);

/** Company or branch of a new record; by default the caller's own. */
export const CompanyId = Id.nullish();

/**
 * Returns the company of a new record: the given one, or `otherwise`. 422 on `company_id` if it is not of the
 * family or not open to the caller.
 */
export async function companyFor(
  actor: Staff,
  given: number | null | undefined,
  otherwise = actor.companyId,
): Promise<number> {
  if (given === null || given === undefined || given === otherwise) return otherwise;
  if (!(await isOpenCompany(actor, given))) throw invalid({ company_id: 'validation.not_found' });
  return given;
}

/** Checks whether a company is of the family, open to the caller and not deleted. */
export async function isOpenCompany(actor: Staff, id: number): Promise<boolean> {
  const item = canReach(actor, id) ? await getItem(recordKey('company', actor.tenant, id)) : undefined;
  return item !== undefined && !parseStored(AccountStanding, item).is_deleted;
}
