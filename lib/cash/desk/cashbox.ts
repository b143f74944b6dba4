import * as z from 'zod';
import type { Administrator, Staff } from '#lib/access/actor.ts';
import { withinReachOf } from '#lib/access/keeper.ts';
import type { NewCompany } from '#lib/people/company/company.ts';
import { CompanyId, companyFor } from '#lib/people/company/of-record.ts';
import { familyEmbeds, familyFilters, familyIndexes, familyRecordFields } from '#lib/people/family-record.ts';
import { counterEmbed, counterKey, counterWrites } from '#lib/records/counters.ts';
import { neighbour } from '#lib/records/embeds.ts';
import { exact, substring } from '#lib/records/filters.ts';
import { embedQuery, listQuery } from '#lib/records/list-query.ts';
import { insertion, type RecordType } from '#lib/records/record.ts';
import { newRecord, ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { isDeletion } from '#lib/records/references.ts';
import { stored, vouched } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { familyHome, type Home, type Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { type Claim, holderIn, holdersOf, keyOf as nameKeyOf } from '#lib/table/transaction/names.ts';
import { begin } from '#lib/values/begin.ts';
import { text } from '#lib/values/fields.ts';
import { label } from '#lib/values/labels/label.ts';
import { Currency, nameOf, PaymentType, Sums } from '#lib/values/money.ts';
import { refuse } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { DESK_MONEY, deskKindCheck, deskMoneyOf, deskMoveWrite } from './money.ts';

/** The kind of a desk: one that sales are paid at, or the one desk of a company that collections go to. */
const DeskType = z.enum(['main', 'sale']);

/**
 * A cash desk of a company or a branch, with the money in it. Part 3, "Cash operation"; Decisions, 7, "Cash
 * desk".
 */
export const Cashbox = z.object({
  ...familyRecordFields,
  name: z.string(),
  type: DeskType,
  balances: z.record(PaymentType, Sums).optional(),
});

/** Input to make or edit a cash desk. */
export const CashboxInput = z.object({ name: text(255), type: DeskType, company_id: CompanyId });

type CashboxInput = z.output<typeof CashboxInput>;

const cashboxes: RecordType<typeof Cashbox> = {
  type: 'cashbox',
  schema: Cashbox,
  indexes: [...familyIndexes, 'type'],
  names: ({ name, type, company_id }, home) => [
    { path: 'name', scope: home, text: name },
    // A company has one main desk: its type is a name that only one desk of the company may hold.
    ...(type === 'main' ? [mainClaim(home, company_id)] : []),
  ],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) => {
    if (after.type === 'main' && isDeletion(before, after)) throw refuse('cashbox.is_main');
    const isMoved = before !== undefined && before.company_id !== after.company_id;
    const isOtherKind = before !== undefined && before.type !== after.type;
    return [
      ...counterWrites(deskMoneyOf(after), home, before, after),
      ...(isMoved ? [deskMoveWrite(home, after)] : []),
      ...(isOtherKind && !isMoved ? [deskKindCheck(home, after.id)] : []),
    ];
  },
};

/** `with[]=cashbox`: the desk at which a document was made. */
export const cashboxEmbed = neighbour('cashbox', cashboxes.type);

/** The list's query string. */
export const CashboxList = listQuery({
  filters: { ...familyFilters, name: substring('name'), type: exact('type', DeskType) },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  pageSize: 20,
});

/** The query string of a single cash desk. */
export const CashboxEmbeds = embedQuery({ embeds: familyEmbeds });

const records = recordsOf(cashboxes, {
  ...ofFamily,
  reach: (actor) => withinReachOf(actor, actor.cashDesks),
  alwaysEmbeds: (home) => [counterEmbed(DESK_MONEY, home, 'balances', byPaymentType)],
});

/**
 * List, get, delete and restore the cash desks open to the caller. Deleting one with money in it, or a main
 * one, is 400.
 */
export const { list, listBare, get, remove, restore, keyOf, ifVisible, open } = records;

/**
 * Makes a cash desk without money. 422 on a name that the family has, on a second main desk of a company, and
 * on a company that is not open to the caller.
 */
export function create(actor: Staff, { company_id, ...input }: CashboxInput, at: Instant) {
  return records.insert(
    actor,
    at,
    begin(companyFor(actor, company_id).then((id) => (base) => ({ ...base, ...input, company_id: id }))),
  );
}

/**
 * Changes a cash desk; it keeps its company unless another is given. 400 on a change of company with money in
 * it, 422 as for a new one.
 */
export function edit(actor: Staff, id: number, { company_id, ...input }: CashboxInput, at: Instant) {
  return records.change(actor, id, at, async (before) => ({
    ...before,
    ...input,
    company_id: await companyFor(actor, company_id, before.company_id),
  }));
}

/** Builds the writes that give a new company its main cash desk. */
export async function mainDeskOf(
  { id: companyId, parent_id }: NewCompany,
  { id: creator }: Administrator,
  at: Instant,
): Promise<Write[]> {
  const home = familyHome(parent_id ?? companyId);
  const id = await nextId(cashboxes.type, home);
  return insertion(cashboxes, home, {
    ...newRecord({ id: creator, companyId }, id, at),
    name: label('ru', { key: 'cashbox.main_name', with: { company: companyId } }),
    type: 'main',
  });
}

/** Gives the key of the item that tells a company's main desk, for `mainDeskId`. */
export function mainDeskKey(home: Home, companyId: number): Key {
  return nameKeyOf(cashboxes.type, mainClaim(home, companyId));
}

/** Reads the id of a main desk off the item at `mainDeskKey`; undefined if the company has none. */
export const mainDeskId = holderIn;

/**
 * Reads the main desk of the caller's company, null if there is none. Its money is shown if the desk is open
 * to the caller.
 */
export async function mainDesk(actor: Staff) {
  const { home, companyId } = actor;
  const [id] = await holdersOf(cashboxes.type, [mainClaim(home, companyId)]);
  if (id === undefined) return null;
  const [item, sums] = await getItems([keyOf(actor, id), counterKey(DESK_MONEY, home, id)]);
  const desk = stored(Cashbox, item);
  if (desk.is_deleted) return null;
  return ifVisible(actor, desk) && sums ? vouched(Cashbox, { ...desk, balances: byPaymentType(sums) }) : desk;
}

function mainClaim(home: Home, companyId: number): Claim {
  return { path: 'type', scope: `${home}#${companyId}`, text: 'main' };
}

function byPaymentType(sums: Readonly<Record<string, unknown>>) {
  const of = (type: PaymentType) =>
    Object.fromEntries(
      Currency.options.map((currency) => [currency, sums[nameOf({ payment_type: type, currency })]]),
    );
  return Object.fromEntries(PaymentType.options.map((type) => [type, of(type)]));
}
