import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, any, atLeast, equals } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';

/*
 * In how many bundles a product is that are not deleted, in an item of its own: so a product that one has is
 * not deleted, whatever comes first. Contract 9.118.
 */

/** Gives the key of a product's count. */
export function bundleUseKey(tenant: Tenant, productId: number): Key {
  return recordKey('bundled-product', tenant, productId);
}

/** Builds the write by which a bundle has one product more, or has it no more. */
export function bundleUseWrite(tenant: Tenant, productId: number, change: 1 | -1): Write {
  const guard = change < 0 ? { if: atLeast('count', 1) } : undefined;
  return update(bundleUseKey(tenant, productId), { add: { count: change } }, guard);
}

/** Requires that no bundle has a product; `Contention` if one has it by now. */
export function requireUnbundled(tenant: Tenant, productId: number): Write {
  return check(bundleUseKey(tenant, productId), { if: any([absent('pk'), equals('count', 0)]) });
}
