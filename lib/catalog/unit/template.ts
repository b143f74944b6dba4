import * as z from 'zod';
import type { Administrator } from '#lib/auth/actor.ts';
import { asTemplates, copiesOf, templateCopyConstraint, templateFields } from '#lib/catalog/unit/copyable.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { insertIfAbsent } from '#lib/records/insert-if-absent.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import { findRecord, type RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { isAnyReferenced } from '#lib/records/references.ts';
import { familyTenant, PLATFORM } from '#lib/table/keys.ts';
import { ownersOf } from '#lib/table/transaction/unique-constraints.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { localizedName, multilingualText } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';
import { units } from './unit.ts';

/** Measurement unit copied to every family. Part 1, "Measurement unit templates". */
export const UnitTemplate = z.object({ ...templateFields, accuracy: z.int() });

const Accuracy = z.int().min(0).max(4);

/** Input to create or edit a template. */
export const UnitTemplateInput = z.object({ accuracy: Accuracy, name: multilingualText(255) });

type UnitTemplateInput = z.output<typeof UnitTemplateInput>;

/** Record type of templates. */
export const unitTemplates: RecordType<typeof UnitTemplate> = {
  type: 'unit-template',
  schema: UnitTemplate,
  filters: { ...platformFilters, name: substring('name'), accuracy: exact('accuracy', Accuracy) },
  ...localizedName,
};

const records = recordsOf(unitTemplates, asTemplates);

/** Operations on the templates: list, get, edit, restore; copies stay unchanged. 422 as in `create`. */
export const { List, Embeds, list, get, edit, restore } = records;

/**
 * Creates a template and copies it to the families: to the first batch at once, to the rest by the worker
 * `copy-unit`. The worker's job is enqueued first, so that no family is missed if this call is interrupted.
 * 422 on the name of another template.
 */
export async function create(actor: Administrator, input: UnitTemplateInput, at: Instant) {
  const template = await records.create(actor, input, at);
  await enqueue('copy-unit', { id: template.id, at });
  const { value: first = [] } = await everyFamily().next();
  await copyTo(first, template, at);
  return template;
}

/** Deletes a template. 400 while a product, even a deleted one, uses a family's copy of it. */
export async function remove(actor: Administrator, id: number, at: Instant): Promise<void> {
  await records.get(actor, id);
  if (await isCopyInUse(id)) throw badRequest('unit_template.in_use');
  await records.remove(actor, id, at);
}

/** Copies a template to the families without a copy, unless it has been deleted. */
export async function copyToEveryFamily(id: number, at: Instant): Promise<void> {
  const template = await findRecord({ type: unitTemplates, tenant: PLATFORM, id });
  if (!template || template.is_deleted) return;
  for await (const families of everyFamily()) await copyTo(families, template, at);
}

/**
 * Copies a template to families. A family with a copy, or with a unit of that name in any language, is
 * skipped, so the operation is idempotent.
 */
async function copyTo(
  families: readonly number[],
  template: { readonly id: number },
  at: Instant,
): Promise<void> {
  await Promise.all(
    families.map((family) =>
      insertIfAbsent(units, familyTenant(family), copiesOf([template], units, family, at)),
    ),
  );
}

/**
 * Checks whether a product, deleted or not, uses any family's copy of a template. Each family counts its own
 * products: a single counter would serialize the writes of all products of the platform.
 */
async function isCopyInUse(templateId: number): Promise<boolean> {
  for await (const families of everyFamily()) {
    const tenants = families.map(familyTenant);
    const copies = await ownersOf(
      units.type,
      tenants.map((tenant) => templateCopyConstraint(tenant, templateId)),
    );
    const copyRefs = tenants.flatMap((tenant, index) => {
      const id = copies[index];
      return id === undefined ? [] : [{ type: units.type, tenant, id }];
    });
    if (await isAnyReferenced(copyRefs)) return true;
  }
  return false;
}
