import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import { amount, Money } from '#lib/values/money.ts';

/** A client's share of what is paid, as bonuses; `percent` is held in 1/100. Contract 7, "Bonus tariff". */
export const BonusTariff = z.object({ ...familyRecordFields, name: z.string(), percent: Money });

/** Input to make or edit a bonus tariff. */
export const BonusTariffInput = z.object({ name: text(255), percent: amount(0.01, 100) });

/** Record type of bonus tariffs. */
export const bonusTariffs: RecordType<typeof BonusTariff> = {
  type: 'bonus-tariff',
  copied: 'client.bonus-tariff',
  schema: BonusTariff,
  filters: { ...familyFilters, name: substring('name') },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  ...uniqueName,
  inUse: badRequest('bonus_tariff.in_use'),
};

/**
 * List, get, make, edit, delete and restore the family's bonus tariffs; a change is for sales to come. 422 on
 * a name that the family has; deleting one that a client has, deleted or not, is 400.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(bonusTariffs, ofFamily);
