import * as z from 'zod';
import { asTemplates, templateFields } from '#lib/catalog/unit/copyable.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';

/**
 * A unit of services that a new company gets a copy of. Part 1, "Service units"; Contract 7, "Service-unit
 * template".
 */
export const ServiceUnitTemplate = z.object(templateFields);

/** Input to make or edit a template. */
export const ServiceUnitTemplateInput = z.object({ name: multilingualText(255) });

/** Record type of templates. */
export const serviceUnitTemplates: RecordType<typeof ServiceUnitTemplate> = {
  type: 'service-unit-template',
  schema: ServiceUnitTemplate,
  filters: { ...platformFilters, name: substring('name') },
  ...localizedName,
};

/**
 * List, get, make, edit, delete and restore the templates. Later companies get copies, which stay as they
 * are. 422 on a name that another template has.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(
  serviceUnitTemplates,
  asTemplates,
);
