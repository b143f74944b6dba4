import * as z from 'zod';
import type { RecordType } from '#lib/records/record.ts';
import { companyRecordFields } from '#lib/records/stored.ts';
import { Localized, localizedClaims } from '#lib/values/localized.ts';

/** What goods need to know of a unit. Decisions, section 7. */
export const Unit = z.object({ ...companyRecordFields, name: Localized });

/** How they are kept. */
export const units: RecordType<typeof Unit> = {
  type: 'unit',
  schema: Unit,
  names: ({ name }, home) => localizedClaims('name', home, name),
};
