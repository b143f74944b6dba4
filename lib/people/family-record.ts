import { companyEmbed, KnownCompany } from '#lib/people/company/record.ts';
import { Colleague, creatorEmbed, nameOfUserItem } from '#lib/people/user/user.ts';
import { exact, exactOrList, period } from '#lib/records/query/filters.ts';
import { linkColumn } from '#lib/records/sheet/column.ts';
import { companyRecordFields } from '#lib/records/stored.ts';
import { Id } from '#lib/values/fields.ts';

/** The fields of every record of a family, with those that `with[]` may add. */
export const familyRecordFields = {
  ...companyRecordFields,
  creator: Colleague.nullish(),
  company: KnownCompany.nullish(),
};

/** The filters of every list of a family's records. */
export const familyFilters = {
  id: exactOrList('id', Id),
  creator_id: exact('creator_id', Id),
  company_id: exact('company_id', Id),
  created_at: period('created_at'),
};

/** The embeds of every one of them. */
export const familyEmbeds = { 'creator.profile': creatorEmbed, company: companyEmbed };

/** The columns of every one of them in a workbook: its company, and who made it. */
export const companyColumn = linkColumn('column.company', companyEmbed);
export const creatorColumn = linkColumn('column.creator', creatorEmbed, nameOfUserItem);
