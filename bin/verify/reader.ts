import type { Staff } from '#lib/access/actor.ts';
import { familyHome } from '#lib/table/keys.ts';

/** A director of a family as the domain takes one, for who reads its books and is none of its people. */
export function readerOf(familyId: number): Staff {
  return {
    id: 0,
    username: '',
    type: 'director',
    rights: [],
    companyId: familyId,
    familyId,
    home: familyHome(familyId),
    companies: 'all',
    warehouses: 'all',
    cashDesks: 'all',
    canDiscount: false,
    isCompanyActive: true,
  };
}
