import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { familyEmbeds, familyFilters, familyIndexes, familyRecordFields } from '#lib/people/family-record.ts';
import { counterEmbed, counterWrites } from '#lib/records/counters.ts';
import { neighbour } from '#lib/records/embeds.ts';
import { exact, substring } from '#lib/records/filters.ts';
import { embedQuery, listQuery } from '#lib/records/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { type NewRecord, ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { moveReferences, type Reference } from '#lib/records/references.ts';
import { Id } from '#lib/values/fields.ts';
import { Money } from '#lib/values/money.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { bonusTariffs } from './bonus-tariff.ts';
import { type ClientInput, Gender } from './client-input.ts';
import { BONUSES, CLIENT_SUMS } from './client-sums.ts';

/** A client, shared by a company and its branches. Part 3, "Debt payment". */
export const Client = z.object({
  ...familyRecordFields,
  bonus_tariff_id: z.int().nullable(),
  bonus_entries_amount: Money.optional(),
  bonus_accumulations_amount: Money.optional(),
  full_name: z.string(),
  gender: Gender.nullable(),
  birth_date: z.string().nullable(),
  image: z.null(),
  image_thumbs: z.null(),
  main_phone: z.string(),
  additional_phones: z.array(z.string()),
  languages: z.array(z.int()),
  address: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  socials: z.object({
    other: z.string().nullable(),
    facebook: z.string().nullable(),
    telegram: z.string().nullable(),
    instagram: z.string().nullable(),
  }),
  is_imported: z.boolean(),
});

/** Record type of clients. */
export const clients: RecordType<typeof Client> = {
  type: 'client',
  schema: Client,
  indexes: [...familyIndexes, 'bonus_tariff_id'],
  names: ({ main_phone }, home) => [{ path: 'main_phone', scope: home, text: main_phone }],
  folded: ({ full_name, main_phone }) => ({ full_name: fold(full_name), main_phone }),
  alsoWrites: (home, before, after) => [
    ...counterWrites(CLIENT_SUMS, home, before, after),
    ...moveReferences(home, before ? tariffOf(before) : [], tariffOf(after)),
  ],
};

/** `with[]=client`: the client of a document. */
export const clientEmbed = neighbour('client', clients.type);

/** The list's query string. */
export const ClientList = listQuery({
  filters: {
    ...familyFilters,
    bonus_tariff_id: exact('bonus_tariff_id', Id),
    full_name: substring('full_name'),
    main_phone: substring('main_phone'),
  },
  sorts: ['id', 'full_name'],
  embeds: familyEmbeds,
  pageSize: 20,
});

/** The query string of a single client. */
export const ClientEmbeds = embedQuery({ embeds: familyEmbeds });

const records = recordsOf(clients, {
  ...ofFamily,
  alwaysEmbeds: (home) =>
    BONUSES.map((bonus) => counterEmbed(CLIENT_SUMS, home, bonus, (sums) => sums[bonus])),
});

/**
 * List, get, delete and restore the family's clients. Deleting one who owes is 400. Decisions, 7, "Client".
 */
export const { list, listBare, get, remove, restore, keyOf, ifVisible } = records;

/**
 * Makes a client. 422 on a main phone that another of the family has, and on a bonus tariff that it lacks.
 */
export function create(actor: Staff, input: ClientInput, at: Instant) {
  return records.insert(actor, at, (base) => newClient(base, input));
}

/** Makes a client as the form describes it. */
export function newClient(base: NewRecord, input: ClientInput): z.input<typeof Client> {
  return { ...base, ...input, image: null, image_thumbs: null, is_imported: false };
}

/** Changes a client. 422 as for a new one. */
export function edit(actor: Staff, id: number, input: ClientInput, at: Instant) {
  return records.change(actor, id, at, (before) => ({ ...before, ...input }));
}

function tariffOf({ bonus_tariff_id: id }: z.input<typeof Client>): Reference[] {
  return id === null ? [] : [{ path: 'bonus_tariff_id', type: bonusTariffs.type, id }];
}
