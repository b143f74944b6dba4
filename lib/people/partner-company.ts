import type { PartnerUser } from '#lib/access/actor.ts';
import { type Embed, neighbour } from '#lib/records/embeds.ts';
import { embedQuery, type ListQuery, listQuery } from '#lib/records/list-query.ts';
import { getRecord, listRecords } from '#lib/records/record.ts';
import { companies, companyFilters } from './company.ts';

// The main company only where it is the partner's too: a branch may have a partner of its own.
const embeds = { parent: neighbour('parent', companies.type) };

/** The query string of the list of a partner's companies. Decisions, 7, "Partner". */
export const PartnerCompanyList = listQuery({
  filters: companyFilters,
  sorts: ['id', 'name'],
  embeds,
  pageSize: 20,
});

/** The query string of a single company. */
export const PartnerCompanyEmbeds = embedQuery({ embeds });

/** The companies of the caller's partner. */
export function list({ home }: PartnerUser, query: ListQuery) {
  return listRecords(companies, home, query);
}

/** One of them, with what was asked for. */
export function get({ home }: PartnerUser, id: number, wanted: readonly Embed[]) {
  return getRecord({ type: companies, home, id }, wanted);
}
