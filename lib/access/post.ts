import { familyHome } from '#lib/table/keys.ts';
import { signInRequired } from '#lib/values/refusal.ts';
import { type Account, AccountStanding } from './account.ts';
import type { Staff } from './actor.ts';
import { idsOfDeletedBranches } from './deleted-branches.ts';
import { blockAtIn } from './subscription.ts';

/** A part of an account that tells where its user works. */
type PostFields = Pick<
  Account,
  'type' | 'company_id' | 'family_id' | 'are_all_companies_available' | 'stock_ids' | 'cashbox_ids'
>;

/**
 * Tells where a company's user works, and as what. `companies` are the records of their company and of its
 * main company, their own first; `tariff` is the family's.
 */
export function postOf(account: PostFields, companies: readonly unknown[], tariff: unknown) {
  return { ...workplace(account, companies), blockAt: blockAtIn(tariff), ...posts(account) };
}

/** Requires an id that an account of its type has. 401 if it has none. */
export function requireId(id: number | null): number {
  if (id === null) throw signInRequired();
  return id;
}

function workplace(account: PostFields, companies: readonly unknown[]) {
  const [own, main] = companies;
  const companyId = requireId(account.company_id);
  const familyId = requireId(account.family_id);
  const overFamily = account.type === 'director' && companyId === familyId;
  const open: Staff['companies'] = overFamily || account.are_all_companies_available ? 'all' : [companyId];
  return {
    companyId,
    familyId,
    home: familyHome(familyId),
    companies: open,
    isCompanyActive: companies.every(isActive),
    deletedBranches: idsOfDeletedBranches(main),
    hasShifts: AccountStanding.safeParse(own).data?.cashbox_shift_settings?.is_enabled,
  };
}

// An employee handles money and goods only at the desks and in the warehouses named for them. Decisions, 3.
function posts({ type, stock_ids, cashbox_ids }: PostFields): Pick<Staff, 'warehouses' | 'cashDesks'> {
  if (type === 'director') return { warehouses: 'all', cashDesks: 'all' };
  return { warehouses: stock_ids, cashDesks: cashbox_ids };
}

function isActive(company: unknown): boolean {
  const standing = AccountStanding.safeParse(company).data;
  return standing !== undefined && !standing.is_deleted;
}
