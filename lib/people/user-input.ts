import * as z from 'zod';
import { hashPassword } from '#lib/access/passwords.ts';
import { Id, optionalText, orNull, Phone } from '#lib/values/fields.ts';
import { fold } from '#lib/values/text.ts';
import type { Profile } from './user.ts';

const MOST_RESPONSIBILITIES = 100;

const Name = orNull(
  z
    .string()
    .trim()
    .max(255)
    .regex(/^[\p{L}\p{M} -]*$/u, { error: 'validation.name_letters' }),
);

/** The personal fields of a user's form. Part 1, "Users". */
export const ProfileInput = z
  .object({ first_name: Name, last_name: Name, position: optionalText(255) })
  .default({ first_name: null, last_name: null, position: null });

const Password = z
  .string()
  .min(8, { error: 'user.password_length' })
  .max(255, { error: 'user.password_length' })
  .regex(/^(?=.*\p{L})(?=.*\d)/su, { error: 'user.password_strength' });

const Username = z
  .string()
  .min(3)
  .max(255)
  .regex(/^[A-Za-z0-9._@+-]+$/, { error: 'user.username' });

const newPassword = { new_password: Password, new_password_confirmation: z.string() };
const samePassword = { new_password: Password.optional(), new_password_confirmation: z.string().optional() };

/** The fields that every form of a user has. */
const userFields = {
  username: Username,
  phone: Phone,
  telephony_sip_number: optionalText(10),
  profile: ProfileInput,
};

const administratorFields = {
  ...userFields,
  role_id: Id,
  are_all_companies_available: z.boolean(),
  companies_responsibility: z.array(Id).max(MOST_RESPONSIBILITIES).default([]),
};

const companyUserFields = {
  ...userFields,
  type: z.enum(['director', 'employee']),
  company_id: Id,
  role_id: orNull(Id),
  are_all_companies_available: z.boolean().default(false),
  cashbox_ids: z.array(Id).max(MOST_RESPONSIBILITIES).default([]),
  stock_ids: z.array(Id).max(MOST_RESPONSIBILITIES).default([]),
};

/** What it takes to make an administrator. Part 1, "Users". */
export const NewAdministrator = withPasswordRules(z.object({ ...administratorFields, ...newPassword }));

/** The name and password of the administrator whom nobody makes over HTTP. */
export const FirstAccount = withPasswordRules(z.object({ username: Username, ...newPassword }));

/** What it takes to edit a user of any type. Part 1, "Users". */
export const UserEdit = withPasswordRules(z.object({ ...administratorFields, ...samePassword }));

/** What it takes to make a company's director or employee. Decisions, section 7. */
export const NewCompanyUser = withPasswordRules(z.object({ ...companyUserFields, ...newPassword }));

/** What it takes to edit one. */
export const CompanyUserEdit = withPasswordRules(z.object({ ...companyUserFields, ...samePassword }));

/** What users may change of themselves. Part 1, "Profile of the current user". */
export const ProfileEdit = withPasswordRules(
  z.object({ phone: Phone, profile: ProfileInput, ...samePassword }),
);

/** A personal part as it is held, with the full name that follows from it. */
export function profileFrom(
  { first_name, last_name, position }: z.output<typeof ProfileInput>,
  before?: z.output<typeof Profile>,
): z.output<typeof Profile> {
  return {
    birth_date: before?.birth_date ?? null,
    gender: before?.gender ?? null,
    first_name,
    last_name,
    position,
    full_name: [last_name, first_name].filter(Boolean).join(' '),
  };
}

/** What a new password, hashed once, changes of an account: every session made with the old one ends. */
export async function passwordChange(password: string | undefined) {
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return (session: number) => (password_hash === undefined ? {} : { password_hash, session: session + 1 });
}

// The rules that look at two fields are told beside those of single fields, whatever else is wrong.
function withPasswordRules<S extends z.ZodType>(schema: S) {
  const when = () => true;
  return schema
    .refine((form) => isConfirmed(form), {
      error: 'user.password_confirmation',
      path: ['new_password_confirmation'],
      when,
    })
    .refine((form) => !isUsername(form), {
      error: 'user.password_is_username',
      path: ['new_password'],
      when,
    });
}

const Passwords = z.object({
  username: z.unknown().optional(),
  new_password: z.unknown().optional(),
  new_password_confirmation: z.unknown().optional(),
});

function isConfirmed(form: unknown): boolean {
  const { new_password, new_password_confirmation } = Passwords.safeParse(form).data ?? {};
  return new_password === undefined || new_password === new_password_confirmation;
}

function isUsername(form: unknown): boolean {
  const { username, new_password } = Passwords.safeParse(form).data ?? {};
  return (
    typeof username === 'string' && typeof new_password === 'string' && fold(username) === fold(new_password)
  );
}
