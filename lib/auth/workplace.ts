import * as z from 'zod';
import { familyTenant, type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { signInRequired } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Account, AccountStanding } from './account.ts';
import type { Staff } from './actor.ts';

/** The part of an account with its user's workplace. */
type WorkplaceFields = Pick<
  Account,
  | 'type'
  | 'company_id'
  | 'family_id'
  | 'are_all_companies_available'
  | 'company_ids'
  | 'stock_ids'
  | 'cashbox_ids'
>;

/**
 * Returns the workplace of a company's user. `companies` are the records of their company and of its main
 * company, their own first; `tariff` is the family's.
 */
export function workplaceOf(account: WorkplaceFields, companies: readonly unknown[], tariff: unknown) {
  const companyId = requireId(account.company_id);
  const familyId = requireId(account.family_id);
  const isDirector = account.type === 'director';
  const overFamily = isDirector && companyId === familyId;
  const standings = companies.map((company) => AccountStanding.safeParse(company).data);
  const main = companyId === familyId ? standings[0] : standings[1];
  return {
    companyId,
    familyId,
    tenant: familyTenant(familyId),
    companies: overFamily || account.are_all_companies_available ? 'all' : companiesOf(account, companyId),
    // An employee handles goods and money only in the assigned warehouses and at the assigned desks. Contract
    // 3.
    warehouses: isDirector ? 'all' : account.stock_ids,
    cashDesks: isDirector ? 'all' : account.cashbox_ids,
    isCompanyActive: standings.every((standing) => standing?.is_deleted === false),
    deletedBranches: idsOfDeletedBranches(companies[1]),
    hasShifts: standings[0]?.cashbox_shift_settings?.is_enabled,
    saleSettings: main && (main.sale_settings ?? {}),
    scaleSettings: main && (main.scale_settings ?? []),
    takesBank: standings[0]?.has_bank_payment_type,
    blockAt: blockTimeOf(tariff),
  } satisfies Partial<Staff>;
}

function companiesOf({ company_ids = [] }: WorkplaceFields, own: number): number[] {
  return [...new Set([own, ...company_ids])];
}

/** Requires an id that every account of the type has. 401 if it is null. */
export function requireId(id: number | null): number {
  if (id === null) throw signInRequired();
  return id;
}

/*
 * Deleted branches of a main company, as flags in the main company's own item: every call of its staff reads
 * that anyway, so a sale gets them at no cost. They are not part of the record and do not change its version.
 */

const FLAG = 'deleted_branch_';

const Flags = z.looseObject({});

/** Returns the flag of a branch. */
export function branchFlag(id: number): string {
  return `${FLAG}${id}`;
}

/** Returns the deleted branches, from the item of their main company. */
function idsOfDeletedBranches(main: unknown): number[] {
  return Object.entries(Flags.safeParse(main).data ?? {}).flatMap(([name, isDeleted]) =>
    name.startsWith(FLAG) && isDeleted === true ? [Number(name.slice(FLAG.length))] : [],
  );
}

/** The type of tariffs, in their keys. */
export const TARIFF = 'tariff';

const Block = z.object({ block_at: z.number().nullable() });

/** Returns the key of a family's tariff, which also has the time of a block for debt. */
export function tariffKey(familyId: number): Key {
  return recordKey(TARIFF, PLATFORM, familyId);
}

/**
 * Returns the time at which a family is blocked for debt, from the item at `tariffKey`; undefined if it is
 * not.
 */
export function blockTimeOf(item: unknown): Instant | undefined {
  return Block.safeParse(item).data?.block_at ?? undefined;
}
