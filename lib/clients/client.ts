import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { externalIdConstraints, externalIdField, externalIdFilter } from '#lib/records/external-id.ts';
import { counterEmbed } from '#lib/records/links/counters.ts';
import { type PatchFields, patchOf } from '#lib/records/patch.ts';
import { type Embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { phonePart } from '#lib/records/query/phone-filters.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import type { RecordType } from '#lib/records/record.ts';
import { type NewRecord, ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { referenceTo } from '#lib/records/references.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { SearchField } from '#lib/table/keys.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Id, ImageAddresses } from '#lib/values/fields.ts';
import { byCurrency, type Currency, Money, Sums } from '#lib/values/money.ts';
import { normalizeText } from '#lib/values/text.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { bonusTariffs } from './bonus-tariff.ts';
import { waitingSum } from './bonuses.ts';
import { bonusesIn, CLIENT_BALANCES, ClientBalances, depositIn } from './client-balances.ts';
import { ClientInput, Gender } from './client-input.ts';
import { clientBalancesWrites, DebtLimits, roomToOwe } from './debt-limits.ts';
import { keepTerms, NEW_TERMS, termsAfter } from './terms.ts';

/** Client, shared by a company and its branches. Part 3, "Debt payment". */
export const Client = z.object({
  ...familyRecordFields,
  ...externalIdField,
  bonus_tariff_id: z.int().nullable(),
  /** Type of the prices for which they buy; null for the sale price. Part 5, 5A.14, 2. */
  price_type_id: z.int().nullable().default(null),
  bonus_entries_amount: Money.optional(),
  bonus_accumulations_amount: Money.optional(),
  debt_limits: DebtLimits,
  /** Remaining debt limit: never negative, null if unlimited. Part 4, 4.6, 2. */
  debt_left: DebtLimits.optional(),
  /** Money of the client that the family keeps. Part 5, 5A.6. */
  deposits: Sums.optional(),
  full_name: z.string(),
  gender: Gender.nullable(),
  birth_date: z.string().nullable(),
  image: z.string().nullable(),
  image_thumbs: ImageAddresses.nullable(),
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

/** Client with the balances stored apart from the record, as read. */
const StoredClient = Client.extend({ sums: ClientBalances.optional() });

/** Searched fields of clients. Part 5, 5B.1, 1. */
const SEARCH: readonly SearchField[] = [
  { field: 'full_name', as: 'name' },
  { field: 'main_phone', as: 'phone' },
  { field: 'additional_phones', as: 'phone' },
  { field: 'external_id', as: 'external' },
];

/** Record type of clients. */
export const clients: RecordType<typeof StoredClient> = {
  type: 'client',
  copied: 'client.client',
  schema: StoredClient,
  filters: {
    ...familyFilters,
    ...externalIdFilter,
    bonus_tariff_id: exact('bonus_tariff_id', Id),
    full_name: substring('full_name'),
    main_phone: phonePart('main_phone'),
    search: searchFilter(SEARCH),
  },
  search: SEARCH,
  sorts: ['id', 'full_name'],
  embeds: familyEmbeds,
  names: (client, tenant) => [
    ...externalIdConstraints(client, tenant),
    { path: 'main_phone', scope: tenant, text: client.main_phone },
  ],
  folded: ({ full_name }) => ({ full_name: normalizeText(full_name) }),
  references: ({ bonus_tariff_id: id }) => referenceTo(bonusTariffs.type, 'bonus_tariff_id', id),
  keeps: keepTerms,
  alsoWrites: clientBalancesWrites,
};

/** `with[]=client`: client of a document. */
export const clientEmbed = sameTenantReference('client', clients.type);

const records = recordsOf(clients, {
  ...ofFamily,
  alwaysEmbeds: (tenant) => [counterEmbed(CLIENT_BALANCES, tenant, 'sums', (sums) => sums)],
});

/**
 * Operations on the family's clients: delete, restore. 400 to delete one with a debt. Contract 7, "Client".
 */
export const { WorkbookList: List, Embeds, listBare, remove, restore, keyOf, ifVisible } = records;

/** Lists the family's clients with today's bonuses in the sale currency of the caller's company. */
export async function list(actor: Staff, query: ListQuery, at: Instant) {
  const [page, { saleCurrency }] = await Promise.all([
    records.list(actor, query),
    ratesOf(actor.tenant, actor.companyId),
  ]);
  return { ...page, rows: page.rows.map((client) => withBonuses(client, saleCurrency, at)) };
}

/** Reads a client with the requested embeds and the same bonuses. */
export function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[], at: Instant) {
  return show(actor, inBackground(records.get(actor, id, requestedEmbeds)), at);
}

/**
 * Creates a client. 422 on a main phone of another client of the family, on an unknown bonus tariff or price
 * type, and on terms that the caller may not set.
 */
export function create(actor: Staff, input: ClientInput, at: Instant) {
  return show(actor, inBackground(insert(actor, input, at)), at);
}

async function insert(actor: Staff, input: ClientInput, at: Instant) {
  const terms = await termsAfter(actor, undefined, input);
  return records.insert(actor, at, (base) => newClient(base, input, terms));
}

/** Builds a client from the form, on terms that the caller may set. */
export function newClient(base: NewRecord, input: ClientInput, terms = NEW_TERMS): z.input<typeof Client> {
  return { ...base, ...input, ...terms, image: null, image_thumbs: null, is_imported: false };
}

/** Edits a client. 422 as in `create`. */
export function edit(actor: Staff, id: number, input: ClientInput, at: Instant) {
  return show(
    actor,
    inBackground(records.change(actor, id, at, (before) => clientAfter(actor, before, input))),
    at,
  );
}

const Patch = patchOf(Client, ClientInput);

/** Body that changes some fields of a client. Part 5, 5B.10. */
export const ClientPatch = Patch.Body;

/** Edits the fields of a client that a body has. 422 as in `create`. */
export function patch(actor: Staff, id: number, fields: PatchFields, at: Instant) {
  const change = (before: Stored<typeof StoredClient>) => {
    const input = Patch.complete(before, fields);
    return input ? clientAfter(actor, before, input) : before;
  };
  return show(actor, inBackground(records.change(actor, id, at, change)), at);
}

async function clientAfter(actor: Staff, before: z.input<typeof StoredClient>, input: ClientInput) {
  return { ...before, ...input, ...(await termsAfter(actor, before, input)) };
}

async function show(actor: Staff, reading: Promise<z.input<typeof StoredClient>>, at: Instant) {
  const [client, { saleCurrency }] = await Promise.all([reading, ratesOf(actor.tenant, actor.companyId)]);
  return withBonuses(client, saleCurrency, at);
}

/** Adds a client's remaining debt limits, and today's bonuses in a currency. */
export function withBonuses(
  { sums: item, ...client }: z.input<typeof StoredClient>,
  currency: Currency,
  at: Instant,
): z.input<typeof Client> {
  const sums = ClientBalances.parse(item);
  const bonuses = bonusesIn(sums, currency, dayOf(at));
  return {
    ...client,
    debt_left: byCurrency((each) => roomToOwe(sums, each)),
    deposits: byCurrency((each) => sums[depositIn(each)]),
    bonus_entries_amount: waitingSum(bonuses),
    bonus_accumulations_amount: bonuses.spendable,
  };
}
