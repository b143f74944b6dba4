import type { Staff } from '#lib/auth/actor.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { requireOption, UsageError } from '../cli/main.ts';

/** Returns an actor with the reach of a whole family. */
export function directorFor(family: number): Staff {
  return {
    ...{ id: 0, companyId: family, familyId: family, type: 'director', username: '', session: 0, rights: [] },
    ...{
      tenant: familyTenant(family),
      companies: 'all',
      warehouses: 'all',
      cashDesks: 'all',
      canDiscount: true,
    },
    ...{ isCompanyActive: true, deletedBranches: [] },
  };
}

/** Requires a valid id among the options. Throws a usage error otherwise. */
export function requireTypedId(typed: string | undefined, question: string): number {
  const id = Number(requireOption(typed, question));
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${question} "${typed}" is no id.`);
}
