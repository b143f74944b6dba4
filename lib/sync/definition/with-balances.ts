import type * as z from 'zod';
import { type Counters, counterKey } from '#lib/records/links/counters.ts';
import type { Item } from '#lib/table/client.ts';
import { getItems } from '#lib/table/read/get.ts';
import { defineSync, type Noun, type SyncDefinition, type Viewer } from './definition.ts';

/** Builds fields from a record's counters. */
type Shape = (sums: Item) => object;

/** Defines the sync of records with their counters, from which `shapeFor` builds fields. One round trip. */
export function defineSyncWithBalances(
  noun: Noun,
  form: z.ZodObject,
  counters: Counters,
  shapeFor: (view: Viewer) => Shape | Promise<Shape>,
): SyncDefinition {
  return defineSync(noun, form, {
    show: async (heads, view) => {
      const keys = heads.map(({ id }) => counterKey(counters, view.actor.tenant, id));
      const [items, shape] = await Promise.all([getItems(keys), view.isBare ? undefined : shapeFor(view)]);
      return heads.map((head, index) => {
        const sums = items[index] ?? {};
        const revision = head.version + Number(sums['version'] ?? 0);
        return { record: { ...head, ...shape?.(sums) }, revision };
      });
    },
  });
}
