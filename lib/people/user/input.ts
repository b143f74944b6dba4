import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, isBlank, lineOfText, listOf, orNull, Phone, visible } from '#lib/values/fields.ts';
import { APOSTROPHES, normalizeText } from '#lib/values/text.ts';

const MAX_RESPONSIBILITIES = 100;

// An omitted field stays as it is on edit; a blank or null one is cleared.
const clearable = (field: z.ZodString) =>
  field.nullish().transform((value) => (isBlank(value) ? null : value));

// Apostrophes are letters of Uzbek, or a part of one: never the first character of a word. Contract 9.123.
const LETTERS = new RegExp(
  `^(?!.*(?:^|[ ${APOSTROPHES}-])[${APOSTROPHES}])[\\p{L}\\p{M}${APOSTROPHES} -]*$`,
  'u',
);

const Name = clearable(lineOfText(255).regex(LETTERS, { error: 'validation.not_letters' }));

/** Personal fields of a user's form. Part 1, "Users". */
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

// An empty field keeps the password.
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

/** Fields of every form of a user. */
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
  type: enumeration('user.type', ['director', 'employee']),
  role_id: orNull(Id),
  are_all_companies_available: z.boolean().default(false),
  cashbox_ids: ids.unwrap().optional(),
  stock_ids: ids.unwrap().optional(),
};

const partnerUserFields = { ...userFields, partner_id: Id, role_id: orNull(Id) };

const namedCompany = { company_id: Id };

const namedOrOwnCompany = { company_id: orNull(Id) };

/** Input to create an administrator. Part 1, "Users". */
export const NewAdministrator = withPasswordRules(z.object({ ...administratorFields, ...newPassword }));

/** Username and password of the first administrator, which is not created over HTTP. */
export const FirstAccount = withPasswordRules(z.object({ username: Username, ...newPassword }));

/** Input to edit a user of any type. Part 1, "Users". */
export const UserEdit = withPasswordRules(z.object({ ...administratorFields, ...samePassword }));

/** Input to create a company's director or employee. Contract 7, "Company users". */
export const NewCompanyUser = withPasswordRules(
  z.object({ ...companyUserFields, ...namedCompany, ...newPassword }),
);

/** Input to edit one. */
export const CompanyUserEdit = withPasswordRules(
  z.object({ ...companyUserFields, ...namedCompany, ...samePassword }),
);

/** Input to create a partner's user. Contract 7, "Users of partners". */
export const NewPartnerUser = withPasswordRules(z.object({ ...partnerUserFields, ...newPassword }));

/** Input to edit one. */
export const PartnerUserEdit = withPasswordRules(z.object({ ...partnerUserFields, ...samePassword }));

/** Input of staff to create one: `company_id` is theirs by default. */
export const NewColleague = withPasswordRules(
  z.object({ ...companyUserFields, ...namedOrOwnCompany, ...newPassword }),
);

/** Input of staff to edit one; the company stays by default. */
export const ColleagueEdit = withPasswordRules(
  z.object({ ...companyUserFields, ...namedOrOwnCompany, ...samePassword }),
);

/** Input to edit one's own profile. Part 1, "Profile of the current user". */
export const ProfileEdit = withPasswordRules(
  z.object({ phone: Phone, profile: ProfileInput, ...samePassword }),
);

// Checks rules across two fields even if single fields are invalid.
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

/** Returns whether the new password of a form is its username, ignoring case. Contract 3. */
export function isUsername(form: unknown): boolean {
  const { username, new_password } = Passwords.safeParse(form).data ?? {};
  return (
    typeof username === 'string' &&
    typeof new_password === 'string' &&
    normalizeText(username) === normalizeText(new_password)
  );
}
