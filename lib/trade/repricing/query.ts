import { repricings } from '#lib/catalog/repricing/record.ts';
import { creatorEmbed } from '#lib/people/user/user.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';

/** Says that lines are asked for, which stand beside the rows of a list: who reads those puts them here. */
const askedFor: Embed = { field: 'products', keysOf: () => [], shape: () => [] };

const embeds = { 'creator.profile': creatorEmbed, 'products.product': askedFor };

/** The list's query string. Part 2, "Repricing batches". */
export const RepricingList = documentQuery(repricings.filters, { sorts: ['id'], embeds });

/** The query string of a single batch, which is shown with all of it as it is. */
export const RepricingEmbeds = embedQuery({ embeds });
