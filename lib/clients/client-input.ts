import * as z from 'zod';
import { externalIdInput } from '#lib/records/external-id.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, listOf, optionalLine, orNull, Phone, roundTo, text } from '#lib/values/fields.ts';
import { DayField } from '#lib/values/time.ts';
import { DebtLimitsInput } from './debt-limits.ts';

export const Gender = enumeration('client.gender', ['male', 'female']);

const NO_SOCIALS = { other: null, facebook: null, telegram: null, instagram: null };

const SocialsInput = z.object({
  other: optionalLine(255),
  facebook: optionalLine(255),
  telegram: optionalLine(255),
  instagram: optionalLine(255),
});

/** Input to create or edit a client. Part 3, "Debt payment". */
export const ClientInput = z.object({
  bonus_tariff_id: orNull(Id),
  /** Left out, as in forms that predate it, it stays. */
  price_type_id: Id.nullish(),
  ...externalIdInput,
  full_name: text(255),
  gender: orNull(Gender),
  birth_date: orNull(DayField),
  main_phone: Phone,
  additional_phones: listOf(Phone, 10),
  languages: listOf(Id, 10),
  address: optionalLine(500),
  latitude: orNull(roundTo(8, z.number().min(-90).max(90))),
  longitude: orNull(roundTo(8, z.number().min(-180).max(180))),
  debt_limits: DebtLimitsInput,
  socials: orNull(SocialsInput).transform((socials) => socials ?? NO_SOCIALS),
});

export type ClientInput = z.output<typeof ClientInput>;
