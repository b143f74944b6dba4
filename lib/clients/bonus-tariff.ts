import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import { amount, Money } from '#lib/values/money.ts';

/**
 * Loyalty rate: percentage of payments earned as bonuses; `percent` is stored in hundredths. Contract 7,
 * "Bonus tariff".
 */
export const BonusTariff = z.object({ ...familyRecordFields, name: z.string(), percent: Money });

/** Input to create or edit a bonus tariff. */
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
 * Operations on the family's bonus tariffs: list, get, create, edit, delete, restore. Edits apply to later
 * sales. 422 on a duplicate name; 400 to delete one used by a client, deleted or not.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(bonusTariffs, ofFamily);
