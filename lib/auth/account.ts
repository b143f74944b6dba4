import * as z from 'zod';

/** The kinds of people. Part 1, "User", names the first two; its text presupposes the others. */
export const PersonType = z.enum(['admin', 'director', 'employee', 'partner', 'super_admin']);

/** The kinds of user: people, and the keys by which a company's programs call. Part 4, 4.3. */
export const UserType = z.enum([...PersonType.options, 'key']);

export type UserType = z.output<typeof UserType>;

/** The secret part of a user record, which no answer ever shows. */
export const accountSecrets = {
  password_hash: z.string(),
  /** Raised by logout, a password change and deletion: tokens of an earlier session are void. */
  session: z.int(),
  /** The main company of the user's company; null for administrators and partners. */
  family_id: z.int().nullable(),
};

/** A part of a user record that decides what they may do. */
export const Account = z.object({
  ...accountSecrets,
  id: z.int(),
  type: UserType,
  /** Empty of a key, which nobody signs in with. */
  username: z.string(),
  role_id: z.int().nullable(),
  company_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  are_all_companies_available: z.boolean(),
  /** Companies that an administrator may see if not all are open to them. */
  responsibility_ids: z.array(z.int()),
  /** Companies open to a key beside its own. */
  company_ids: z.array(z.int()).optional(),
  /** The cash desks open to an employee or a key. */
  cashbox_ids: z.array(z.int()),
  /** The warehouses open to an employee or a key. */
  stock_ids: z.array(z.int()),
  is_deleted: z.boolean(),
  /** When a key ends; null if it doesn't. */
  expires_at: z.number().nullish(),
});

export type Account = z.output<typeof Account>;

/** A part of a role that decides what its holders may do. */
export const Grants = z.object({
  new_routes: z.array(z.string()),
  can_apply_sale_discount: z.boolean(),
  is_deleted: z.boolean(),
});

export type Grants = z.output<typeof Grants>;

/** A part of a company that decides what its staff may do. */
export const AccountStanding = z.object({
  is_deleted: z.boolean(),
  cashbox_shift_settings: z.object({ is_enabled: z.boolean() }).optional(),
  /** What a main company says of sales. Part 4, 4.4, 2; Contract 9.97. */
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
