import * as z from 'zod';

/** The kinds of people. Part 1, "User", names the first two; its text presupposes the others. */
export const PersonType = z.enum(['admin', 'director', 'employee', 'partner', 'super_admin']);

/** The kinds of user: people, and the keys of a company's programs. Part 4, 4.3. */
export const UserType = z.enum([...PersonType.options, 'key']);

export type UserType = z.output<typeof UserType>;

/** The secret part of a user record, never in responses. */
export const accountSecrets = {
  password_hash: z.string(),
  /** Raised by logout, a password change and deletion: tokens of earlier sessions are invalid. */
  session: z.int(),
  /** The main company of the user's company; null for administrators and partners. */
  family_id: z.int().nullable(),
};

/** The part of a user record with the user's credentials, role and reach. */
export const Account = z.object({
  ...accountSecrets,
  id: z.int(),
  type: UserType,
  /** Empty for a key, which has no sign-in. */
  username: z.string(),
  role_id: z.int().nullable(),
  company_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  are_all_companies_available: z.boolean(),
  /** Companies within an administrator's reach, unless all are. */
  responsibility_ids: z.array(z.int()),
  /** Companies within a key's reach besides its own. */
  company_ids: z.array(z.int()).optional(),
  /** The cash desks within the reach of an employee or a key. */
  cashbox_ids: z.array(z.int()),
  /** The warehouses within the reach of an employee or a key. */
  stock_ids: z.array(z.int()),
  is_deleted: z.boolean(),
  /** Expiry of a key; null if it does not expire. */
  expires_at: z.number().nullish(),
});

export type Account = z.output<typeof Account>;

/** The part of a role with its holders' rights. */
export const Grants = z.object({
  new_routes: z.array(z.string()),
  can_apply_sale_discount: z.boolean(),
  is_deleted: z.boolean(),
});

export type Grants = z.output<typeof Grants>;

/** The part of a company with effect on its staff's rights. */
export const AccountStanding = z.object({
  is_deleted: z.boolean(),
  cashbox_shift_settings: z.object({ is_enabled: z.boolean() }).optional(),
  /** A main company's sale settings. Part 4, 4.4, 2; Contract 9.97. */
  sale_settings: z
    .object({
      is_accuracy_checked: z.boolean().optional(),
      late_sale_days: z.int().optional(),
      books_closed_on: z.string().nullish(),
    })
    .optional(),
  has_bank_payment_type: z.boolean().optional(),
});

export type AccountStanding = Readonly<z.output<typeof AccountStanding>>;
