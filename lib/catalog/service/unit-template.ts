import * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import { templateFields } from '#lib/catalog/unit/copyable.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * A unit of services that a new company gets a copy of. Part 1, "Service units"; Decisions, 7, "Service-unit
 * template".
 */
export const ServiceUnitTemplate = z.object(templateFields);

/** Input to make or edit a template. */
export const ServiceUnitTemplateInput = z.object({ name: multilingualText(255) });

type ServiceUnitTemplateInput = z.output<typeof ServiceUnitTemplateInput>;

/** Record type of templates. */
export const serviceUnitTemplates: RecordType<typeof ServiceUnitTemplate> = {
  type: 'service-unit-template',
  schema: ServiceUnitTemplate,
  filters: { ...platformFilters, name: substring('name') },
  ...localizedName,
};

const records = recordsOf(serviceUnitTemplates, ofPlatform);

/**
 * List, get, edit, delete and restore the templates: copies stay as they are. 422 as for a new one.
 */
export const { List, Embeds, list, get, edit, remove, restore } = records;

/** Makes a template, for the companies that come after it. 422 on a name that another template has. */
export function create(actor: Administrator, input: ServiceUnitTemplateInput, at: Instant) {
  return records.create(actor, { ...input, company_id: null, source_id: null }, at);
}
