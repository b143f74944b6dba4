import type { Staff } from '#lib/auth/actor.ts';
import { familyTenant } from '#lib/table/keys.ts';

/** Returns a director of a family for a program that reads its books without being one of its users. */
export function readerOf(familyId: number): Staff {
  return {
    id: 0,
    username: '',
    session: 0,
    type: 'director',
    rights: [],
    companyId: familyId,
    familyId,
    tenant: familyTenant(familyId),
    companies: 'all',
    warehouses: 'all',
    cashDesks: 'all',
    canDiscount: false,
    isCompanyActive: true,
    deletedBranches: [],
  };
}
