import * as z from 'zod';
import { Id, isBlank, lineOfText, listOf, orNull, Phone, visible } from '#lib/values/fields.ts';
import { APOSTROPHES, normalizeText } from '#lib/values/text.ts';

const MAX_RESPONSIBILITIES = 100;

// A field that an edit leaves out stays as it is; one that is blank or null is emptied.
const clearable = (field: z.ZodString) =>
  field.nullish().transform((value) => (isBlank(value) ? null : value));

// Apostrophes are letters of Uzbek, or a part of one: never the first sign of a word. Contract 9.123.
const LETTERS = new RegExp(
  `^(?!.*(?:^|[ ${APOSTROPHES}-])[${APOSTROPHES}])[\\p{L}\\p{M}${APOSTROPHES} -]*$`,
  'u',
);

const Name = clearable(lineOfText(255).regex(LETTERS, { error: 'validation.not_letters' }));

/** The personal fields of a user's form. Part 1, "Users". */
export const ProfileInput = z
  .object({ first_name: Name, last_name: Name, position: clearable(lineOfText(255)) })
  .partial()
  .nullish();

const Password = visible(z.string())
  .min(8, { error: 'user.password_length' })
  .max(255, { error: 'user.password_length' })
  .regex(/^(?=.*\p{L})(?=.*\d)/su, { error: 'user.password_too_weak' });

const Username = z
  .string()
  .min(3)
  .max(255)
  .regex(/^[A-Za-z0-9._@+-]+$/, { error: 'user.username_characters' });

const newPassword = { new_password: Password, new_password_confirmation: z.string() };

// A field that a form leaves empty asks for no new password.
const ifSent = (field: z.ZodString) =>
  z
    .string()
    .nullish()
    .transform((value) => value || undefined)
    .pipe(field.optional());

const samePassword = {
  new_password: ifSent(Password),
  new_password_confirmation: ifSent(z.string()),
};

const ids = listOf(Id, MAX_RESPONSIBILITIES);

/** Fields that every form of a user has. */
const userFields = {
  username: Username,
  phone: Phone,
  telephony_sip_number: clearable(lineOfText(10)),
  profile: ProfileInput,
};

const administratorFields = {
  ...userFields,
  role_id: Id,
  are_all_companies_available: z.boolean(),
  companies_responsibility: ids.unwrap().nullish(),
};

const companyUserFields = {
  ...userFields,
  type: z.enum(['director', 'employee']),
  role_id: orNull(Id),
  are_all_companies_available: z.boolean().default(false),
  cashbox_ids: ids.unwrap().optional(),
  stock_ids: ids.unwrap().optional(),
};

const partnerUserFields = { ...userFields, partner_id: Id, role_id: orNull(Id) };

const namedCompany = { company_id: Id };

const namedOrOwnCompany = { company_id: orNull(Id) };

/** Input to make an administrator. Part 1, "Users". */
export const NewAdministrator = withPasswordRules(z.object({ ...administratorFields, ...newPassword }));

/** The name and password of the administrator whom nobody makes over HTTP. */
export const FirstAccount = withPasswordRules(z.object({ username: Username, ...newPassword }));

/** Input to edit a user of any type. Part 1, "Users". */
export const UserEdit = withPasswordRules(z.object({ ...administratorFields, ...samePassword }));

/** Input to make a company's director or employee. Contract 7, "Company users". */
export const NewCompanyUser = withPasswordRules(
  z.object({ ...companyUserFields, ...namedCompany, ...newPassword }),
);

/** Input to edit one. */
export const CompanyUserEdit = withPasswordRules(
  z.object({ ...companyUserFields, ...namedCompany, ...samePassword }),
);

/** Input to make a user of a partner. Contract 7, "Users of partners". */
export const NewPartnerUser = withPasswordRules(z.object({ ...partnerUserFields, ...newPassword }));

/** Input to edit one. */
export const PartnerUserEdit = withPasswordRules(z.object({ ...partnerUserFields, ...samePassword }));

/** What it takes for staff to make one: `company_id` is theirs unless another is given. */
export const NewColleague = withPasswordRules(
  z.object({ ...companyUserFields, ...namedOrOwnCompany, ...newPassword }),
);

/** What it takes for staff to edit one, who stays in the company unless another is given. */
export const ColleagueEdit = withPasswordRules(
  z.object({ ...companyUserFields, ...namedOrOwnCompany, ...samePassword }),
);

/** Input to change one's own profile. Part 1, "Profile of the current user". */
export const ProfileEdit = withPasswordRules(
  z.object({ phone: Phone, profile: ProfileInput, ...samePassword }),
);

// Checks rules of two fields together with those of single fields, whatever else is wrong.
function withPasswordRules<S extends z.ZodType>(schema: S) {
  const when = () => true;
  return schema
    .refine((form) => isConfirmed(form), {
      error: 'user.password_not_confirmed',
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

/** Tells whether the new password of a form is its username, letter case not counting. Contract 3. */
export function isUsername(form: unknown): boolean {
  const { username, new_password } = Passwords.safeParse(form).data ?? {};
  return (
    typeof username === 'string' &&
    typeof new_password === 'string' &&
    normalizeText(username) === normalizeText(new_password)
  );
}
