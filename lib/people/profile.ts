import * as z from 'zod';
import type { Actor } from '#lib/access/actor.ts';
import { reference } from '#lib/records/embeds.ts';
import { editRecord, getRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { CompanyWithParent, keyOfCompany, parentEmbed } from './company.ts';
import { Partner } from './partner.ts';
import { tokenFor } from './session.ts';
import { Profile, User, userEmbeds, users } from './user.ts';
import { type ProfileEdit, passwordChange, profileFrom } from './user-input.ts';

const ImageSize = z.object({ raw: z.string(), webp: z.string() });

const Logo = z.object({
  original: ImageSize,
  widen_25: ImageSize,
  widen_100: ImageSize,
  widen_500: ImageSize,
});

/** A company in its users' profile: its requisites, and what later parts of the platform fill in. */
const ProfileCompany = CompanyWithParent.extend({
  partner: Partner.nullish(),
  industry_id: z.int().nullable().default(null),
  logo: Logo.nullable().default(null),
  latitude: z.string().nullable().default(null),
  longitude: z.string().nullable().default(null),
  comment: z.string().nullable().default(null),
  field_of_activity: z.string().nullable().default(null),
  abc_segment_a: z.int().nullable().default(null),
  abc_segment_b: z.int().nullable().default(null),
  abc_segment_c: z.int().nullable().default(null),
  is_pos_window_enabled: z.boolean().default(false),
  has_bank_payment_type: z.boolean().default(false),
});

/** The current user. Part 1, "User" and "Profile of the current user". */
export const CurrentUser = User.omit({ companies_responsibility: true }).extend({
  profile: Profile,
  role: User.shape.role,
  company: ProfileCompany.nullable().default(null),
  partner: User.shape.partner,
});

const companyWithParent = reference('company', ({ company_id }) => keyOfCompany(company_id), parentEmbed);

/** The caller, with profile, role, company and partner. */
export async function getProfile(actor: Actor) {
  const { profile, role, partner } = userEmbeds;
  const user = await getRecord(users, PLATFORM, actor.id, [profile, role, partner, companyWithParent]);
  return { ...user, profile: user.person };
}

/** Changes the caller's own data. A new password confirms the account and ends every earlier session. */
export async function editProfile(actor: Actor, input: z.output<typeof ProfileEdit>, at: Instant) {
  const secret = await passwordChange(input.new_password);
  await editRecord(users, PLATFORM, actor.id, at, (before) => ({
    ...before,
    ...secret(before.session),
    is_confirmed: before.is_confirmed || input.new_password !== undefined,
    phone: input.phone,
    person: profileFrom(input.profile, before.person),
  }));
  return { token: await tokenFor(actor.id, at, actor.impersonator) };
}
