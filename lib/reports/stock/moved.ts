import type { Tenant } from '#lib/table/keys.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { type AllApart, readDocumentLines, stockLevelNames } from './committed-stock.ts';
import type { Holder } from './holders.ts';

/**
 * Finds the shelves between which and documents goods have gone or come from one reading of the documents to
 * the next: all of a document that has another version, or was made and ended in between. Undefined if that
 * can't be told: a hold has changed more than once, and lines that it had in between are not known.
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

/** Tells whether all lines that a document has had are known. Those of a transfer never change. */
function isPlain({ was, is }: { readonly was: Holder | undefined; readonly is: Holder }): boolean {
  if (is.type === stockTransfers.type) return true;
  // It is made in version 1, and the one that ends it leaves its lines as they were.
  return is.version - (was?.version ?? 0) <= (is.isOpen || was ? 1 : 2);
}
