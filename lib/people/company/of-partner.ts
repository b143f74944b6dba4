import { neighbour } from '#lib/records/query/embeds.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import { ofPartner, recordsOf } from '#lib/records/records-of.ts';
import { companies } from './record.ts';

// The main company is shown only if it is also the partner's: a branch may have a partner of its own.
const embeds = { parent: neighbour('parent', companies.type) };

/** The query string of the list of a partner's companies. Decisions, 7, "Partner". */
export const PartnerCompanyList = listQuery(companies.filters, {
  sorts: ['id', 'name'],
  embeds,
  pageSize: 20,
});

/** The query string of a single company. */
export const PartnerCompanyEmbeds = embedQuery({ embeds });

/** List and get the companies of the caller's partner. */
export const { list, get } = recordsOf(companies, ofPartner);
