import * as z from 'zod';
import type { RecordType } from '#lib/records/record.ts';
import { companyRecordFields } from '#lib/records/stored.ts';
import { Localized, localizedClaims } from '#lib/values/localized.ts';

/** What goods need to know of a category. Decisions, section 7. */
export const Category = z.object({ ...companyRecordFields, name: Localized });

/** How they are kept. */
export const categories: RecordType<typeof Category> = {
  type: 'category',
  schema: Category,
  names: ({ name }, home) => localizedClaims('name', home, name),
};
