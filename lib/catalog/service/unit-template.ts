import * as z from 'zod';
import { asTemplates, templateFields } from '#lib/catalog/unit/copyable.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';

/** Service unit copied to every new company. Part 1, "Service units"; Contract 7, "Service-unit template". */
export const ServiceUnitTemplate = z.object(templateFields);

/** Input to create or edit a template. */
export const ServiceUnitTemplateInput = z.object({ name: multilingualText(255) });

/** Record type of templates. */
export const serviceUnitTemplates: RecordType<typeof ServiceUnitTemplate> = {
  type: 'service-unit-template',
  schema: ServiceUnitTemplate,
  filters: { ...platformFilters, name: substring('name') },
  ...localizedName,
};

/**
 * Operations on the templates: list, get, create, edit, delete, restore. They affect copies of later
 * companies only. 422 on the name of another template.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(
  serviceUnitTemplates,
  asTemplates,
);
