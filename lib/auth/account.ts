import * as z from 'zod';
import { COST_RIGHT } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';

/** The kinds of people. Part 1, "User", names the first two; its text presupposes the others. */
export const PersonType = enumeration('user.type', [
  'admin',
  'director',
  'employee',
  'partner',
  'super_admin',
]);

/** The kinds of user: people, and the keys of a company's programs. Part 4, 4.3. */
export const UserType = enumeration('user.type', [...PersonType.options, 'key']);

export type UserType = z.output<typeof UserType>;

// Every function imports this, and an import makes each schema that is written down.
const Whole = z.int();
const Reference = Whole.nullable();
const References = z.array(Whole);
const Flag = z.boolean();

/** The secret part of a user record, never in responses. */
export const accountSecrets = {
  password_hash: z.string(),
  /** Raised by logout, a password change and deletion: tokens of earlier sessions are invalid. */
  session: Whole,
  /** The main company of the user's company; null for administrators and partners. */
  family_id: Reference,
};

/** The part of a user record with the user's credentials, role and reach. */
export const Account = z.object({
  ...accountSecrets,
  id: Whole,
  type: UserType,
  /** Empty for a key, which has no sign-in. */
  username: z.string(),
  role_id: Reference,
  company_id: Reference,
  partner_id: Reference,
  are_all_companies_available: Flag,
  /** Companies within an administrator's reach, unless all are. */
  responsibility_ids: References,
  /** Companies within a key's reach besides its own. */
  company_ids: References.optional(),
  /** The cash desks within the reach of an employee or a key. */
  cashbox_ids: References,
  /** The warehouses within the reach of an employee or a key. */
  stock_ids: References,
  is_deleted: Flag,
  /** Expiry of a key; null if it does not expire. */
  expires_at: z.number().nullish(),
});

export type Account = z.output<typeof Account>;

/** Stored with a role that was given without the right to see costs. */
const NO_COSTS = `-${COST_RIGHT}`;

/**
 * The rights of a role. Roles stored before the right to see costs existed have it; later ones without it are
 * marked. Part 5, 5A.13.
 */
export const RoleRights = z.codec(z.array(z.string()), z.array(z.string()), {
  decode: (stored) => {
    const rights = stored.filter((right) => right !== NO_COSTS);
    const isOlder = rights.length === stored.length && rights.some(isOfCompany) && !showsCosts(rights);
    return isOlder ? [...rights, COST_RIGHT] : rights;
  },
  encode: (rights) => (rights.every(isOfCompany) && !showsCosts(rights) ? [...rights, NO_COSTS] : rights),
});

function isOfCompany(right: string): boolean {
  return right.startsWith('company.');
}

function showsCosts(rights: readonly string[]): boolean {
  return rights.some((right) => includesRight(right, COST_RIGHT));
}

/** Returns whether a right, or a wildcard of rights, is or contains another one. */
export function includesRight(held: string, right: string): boolean {
  return held === right || (held.endsWith('.*') && right.startsWith(held.slice(0, -1)));
}

/** The part of a role with its holders' rights. */
export const Grants = z.object({
  new_routes: RoleRights,
  can_apply_sale_discount: Flag,
  is_deleted: Flag,
});

export type Grants = z.output<typeof Grants>;

/** Labels of scales of one prefix. Part 5, 5A.12, 2. */
export const ScalePrefix = z.object({
  prefix: z.string(),
  /** Meaning of a label's value. */
  kind: enumeration('scale.kind', ['weight', 'price', 'count']),
  code_digits: Whole,
  value_digits: Whole,
  decimals: Whole,
});

export type ScalePrefix = Readonly<z.output<typeof ScalePrefix>>;

/** The part of a company with effect on its staff's rights. */
export const AccountStanding = z.object({
  is_deleted: Flag,
  cashbox_shift_settings: z.object({ is_enabled: Flag }).optional(),
  /** A main company's sale settings. Part 4, 4.4, 2; Contract 9.97. */
  sale_settings: z
    .object({
      is_accuracy_checked: Flag.optional(),
      late_sale_days: Whole.optional(),
      books_closed_on: z.string().nullish(),
    })
    .optional(),
  /** A main company's labels of scales. Part 5, 5A.12, 2. */
  scale_settings: z.array(ScalePrefix).optional(),
  has_bank_payment_type: Flag.optional(),
});

export type AccountStanding = Readonly<z.output<typeof AccountStanding>>;
