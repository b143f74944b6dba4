import { ofPartner, recordsOf } from '#lib/records/records-of.ts';
import { companies } from './record.ts';

/** List and get the companies of the caller's partner. Contract 7, "Partner". */
export const { List, Embeds, list, get } = recordsOf(companies, ofPartner);
