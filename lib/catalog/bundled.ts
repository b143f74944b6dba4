import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, any, atLeast, equals } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';

/*
 * Number of existing bundles with a product, in an item of its own, so that a product in a bundle cannot be
 * deleted concurrently. Contract 9.118.
 */

/** Returns the key of a product's count. */
export function bundleUseKey(tenant: Tenant, productId: number): Key {
  return recordKey('bundled-product', tenant, productId);
}

/** Builds the write that counts a product added to a bundle, or removed from one. */
export function bundleUseWrite(tenant: Tenant, productId: number, change: 1 | -1): Write {
  const guard = change < 0 ? { if: atLeast('count', 1) } : undefined;
  return update(bundleUseKey(tenant, productId), { add: { count: change } }, guard);
}

/** Builds the check that no bundle has a product; `Contention` if one has it by now. */
export function requireUnbundled(tenant: Tenant, productId: number): Write {
  return check(bundleUseKey(tenant, productId), { if: any([absent('pk'), equals('count', 0)]) });
}
