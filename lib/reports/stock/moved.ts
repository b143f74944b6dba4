import type { Tenant } from '#lib/table/keys.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { type AllApart, readDocumentLines, stockLevelNames } from './committed-stock.ts';
import type { Holder } from './holders.ts';

/**
 * Returns the stock levels moved by documents between two reads: all of a document whose version changed, or
 * that was created and closed in between. Undefined if unknown: a hold changed more than once, so its lines
 * in between were not seen.
 */
export async function stockLevelsMoved(
  tenant: Tenant,
  before: AllApart,
  after: AllApart,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set([...before.holders.keys(), ...after.holders.keys()]);
  const changed = [...names].flatMap((name) => {
    const [was, is] = [before.holders.get(name), after.holders.get(name)];
    return is && is.version !== was?.version ? [{ was, is }] : [];
  });
  if (changed.some((each) => !isPlain(each))) return undefined;
  const unread = changed.filter(({ was, is }) => !was?.stockLevels && !is.stockLevels).map(({ is }) => is);
  const lines = await readDocumentLines(tenant, unread);
  if (lines.some((each) => !each)) return undefined;
  const known = changed.flatMap(({ was, is }) => [...(was?.stockLevels ?? []), ...(is.stockLevels ?? [])]);
  const read = unread.flatMap((holder, index) => stockLevelNames(holder, lines[index] ?? []));
  return new Set([...known, ...read]);
}

/** Returns whether the goods of all lines that a document has had are known. A transfer's never change. */
function isPlain({ was, is }: { readonly was: Holder | undefined; readonly is: Holder }): boolean {
  if (is.type === stockTransfers.type) return true;
  // A hold is created in version 1, and the change that closes it leaves its lines.
  return is.version - (was?.version ?? 0) <= (is.isOpen || was ? 1 : 2);
}
