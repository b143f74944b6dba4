import { exact, exactOrList, period } from '#lib/records/filters.ts';
import { companyRecordFields } from '#lib/records/stored.ts';
import { Id } from '#lib/values/fields.ts';
import { Company, companyEmbed } from './company.ts';
import { creatorEmbed, User } from './user.ts';

/** What every record of a family has, with what `with[]` may add. */
export const familyRecordFields = {
  ...companyRecordFields,
  creator: User.nullish(),
  company: Company.nullish(),
};

/** What every list of a family's records can be filtered by. */
export const familyFilters = {
  id: exactOrList('id', Id),
  creator_id: exact('creator_id', Id),
  company_id: exact('company_id', Id),
  created_at: period('created_at'),
};

/** The fields of every family's record that have an index each. */
export const familyIndexes = ['creator_id', 'company_id'];

/** What every one of them may embed. */
export const familyEmbeds = { 'creator.profile': creatorEmbed, company: companyEmbed };
