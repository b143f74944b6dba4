import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import {
  CompanyId,
  companyFor,
  familyEmbeds,
  familyFilters,
  familyRecordFields,
} from '#lib/people/family-record.ts';
import { counterEmbed, counterWrites } from '#lib/records/links/counters.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { isDeletion } from '#lib/records/references.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { Currency, nameOf, PaymentType, Sums } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { DESK_MONEY, deskKindCheck, deskMoneyOf, deskMoveWrite } from './money.ts';
import { nothingWaitsCheck } from './waiting.ts';

/** Kind of a desk: one for sales, or the company's only desk that receives collections. */
const DeskType = enumeration('cashbox.type', ['main', 'sale']);

/** Cash desk of a company or branch, with its money. Part 3, "Cash operation"; Contract 7, "Cash desk". */
export const Desk = z.object({
  ...familyRecordFields,
  name: z.string(),
  type: DeskType,
  balances: z.record(PaymentType, Sums).optional(),
});

/** Input to create or edit a cash desk. */
export const DeskInput = z.object({ name: text(255), type: DeskType, company_id: CompanyId });

type DeskInput = z.output<typeof DeskInput>;

/** Record type of cash desks. */
export const desks: RecordType<typeof Desk> = {
  type: 'cashbox',
  copied: 'cashbox.cashbox',
  schema: Desk,
  filters: { ...familyFilters, name: substring('name'), type: exact('type', DeskType) },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  names: ({ name, type, company_id }, tenant) => [
    { path: 'name', scope: tenant, text: name },
    ...(type === 'main' ? [mainDeskConstraint(tenant, company_id)] : []),
  ],
  ...nameSearchText,
  alsoWrites: (tenant, before, after) => {
    if (after.type === 'main' && isDeletion(before, after)) throw badRequest('cashbox.is_main');
    const isMoved = before !== undefined && before.company_id !== after.company_id;
    const isGone = isMoved || isDeletion(before, after);
    const isOtherKind = before !== undefined && before.type !== after.type;
    return [
      ...counterWrites(deskMoneyOf(after), tenant, before, after),
      ...(isMoved ? [deskMoveWrite(tenant, after)] : []),
      ...(isGone ? [nothingWaitsCheck(tenant, after.id)] : []),
      ...(isOtherKind && !isMoved ? [deskKindCheck(tenant, after.id)] : []),
    ];
  },
};

/** `with[]=cashbox`: desk of a document. */
export const deskEmbed = sameTenantReference('cashbox', desks.type);

const records = recordsOf(desks, {
  ...ofFamily,
  reach: (actor) => withinReachOf(actor, actor.cashDesks),
  alwaysEmbeds: (tenant) => [counterEmbed(DESK_MONEY, tenant, 'balances', byPaymentType)],
});

/**
 * Operations on the cash desks open to the caller: list, get, delete, restore. 400 to delete one with money,
 * one with refused sales, or a main one.
 */
export const { List, Embeds, list, listBare, get, remove, restore, keyOf, ifVisible } = records;

/** Resolves the desk referenced by a body. 422 on the path if it does not exist or is out of reach. */
export const requireDeskInReach = records.require;

/**
 * Creates a cash desk without money. 422 on a duplicate name, on a second main desk of a company, and on a
 * company not open to the caller.
 */
export function create(actor: Staff, { company_id, ...input }: DeskInput, at: Instant) {
  return records.insert(
    actor,
    at,
    inBackground(
      companyFor(actor, company_id).then((id) => (base) => ({ ...base, ...input, company_id: id })),
    ),
  );
}

/**
 * Edits a cash desk; it keeps its company unless another is given. 400 to change the company with money in
 * the desk or refused sales at it, 422 as in `create`.
 */
export function edit(actor: Staff, id: number, { company_id, ...input }: DeskInput, at: Instant) {
  return records.change(actor, id, at, async (before) => ({
    ...before,
    ...input,
    company_id: await companyFor(actor, company_id, before.company_id),
  }));
}

/** Returns the unique constraint of a company's main desk. */
export function mainDeskConstraint(tenant: Tenant, companyId: number): UniqueConstraint {
  return { path: 'type', scope: `${tenant}#${companyId}`, text: 'main' };
}

/** Groups a desk's money by payment type and currency. */
export function byPaymentType(sums: Readonly<Record<string, unknown>>) {
  const of = (type: PaymentType) =>
    Object.fromEntries(
      Currency.options.map((currency) => [currency, sums[nameOf({ payment_type: type, currency })]]),
    );
  return Object.fromEntries(PaymentType.options.map((type) => [type, of(type)]));
}
