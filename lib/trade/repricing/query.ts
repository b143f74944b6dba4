import { familyFilters } from '#lib/people/family-record.ts';
import { creatorEmbed } from '#lib/people/user/user.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { exactOrList } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Id } from '#lib/values/fields.ts';

/** Says that lines are asked for, which stand beside the rows of a list: who reads those puts them here. */
const askedFor: Embed = { field: 'products', keysOf: () => [], shape: () => [] };

const embeds = { 'creator.profile': creatorEmbed, 'products.product': askedFor };

/** The list's query string. Part 2, "Repricing batches". */
export const RepricingList = documentQuery({
  filters: { ...familyFilters, company_id: exactOrList('company_id', Id) },
  sorts: ['id'],
  embeds,
  pageSize: 20,
});

/** The query string of a single batch, which is shown with all of it as it is. */
export const RepricingEmbeds = embedQuery({ embeds });
