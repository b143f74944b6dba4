import * as z from 'zod';
import { partnerEmbed } from '#lib/people/company/partner.ts';
import { companyEmbed, keyOfCompany } from '#lib/people/company/record.ts';
import { roleEmbed } from '#lib/people/role/record.ts';
import { references } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, type Filter } from '#lib/records/query/filters.ts';
import { listQuery } from '#lib/records/query/list-query.ts';
import { Id } from '#lib/values/fields.ts';
import { profileEmbed } from './user.ts';

/** What a user list may embed. */
export const userEmbeds = {
  profile: profileEmbed,
  role: roleEmbed,
  company: companyEmbed,
  partner: partnerEmbed,
  companies_responsibility: references('companies_responsibility', ({ responsibility_ids }) =>
    Array.isArray(responsibility_ids) ? responsibility_ids.flatMap((id) => keyOfCompany(id) ?? []) : [],
  ),
};

/** Makes the schema of a list's query string, for users of one kind who work for a company or a partner. */
export function workersQuery<F extends Record<string, Filter>>(filters: F) {
  const named = { username: exact('username', z.string()), phone: exact('phone', z.string()) };
  return listQuery(
    { id: exactOrList('id', Id), role_id: exact('role_id', Id), ...filters, ...named },
    {
      sorts: ['id', 'username'],
      embeds: userEmbeds,
    },
  );
}
