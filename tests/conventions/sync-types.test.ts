import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { syncDefinitionOf } from '#lib/sync/registry.ts';
import { rightFor } from '#lib/sync/right.ts';
import { COMPANY_RATES, FEED_TYPES, STOCK_LEVEL } from '#lib/table/feed/feed-types.ts';

/** Lists under `/company/` that no copy has, and why. */
const NOT_COPIED: Readonly<Record<string, string>> = {
  'company.cashbox.operation.index': 'a part of the transfers of desks',
  'company.product.product.prices': 'what a price was is asked product by product',
  'company.stock.product.movements': 'what moved a balance is in the documents',
  'company.tariff.statement': 'what the platform charges is none of the goods and money',
  'company.trade.inventory.products': 'lines come with their document',
  'company.trade.purchase.products': 'lines come with their document',
  'company.trade.recalculation-batch.products': 'lines come with their document',
  'company.trade.sale.refused.index': 'what was refused is no sale yet, and its till knows of it',
  'company.trade.writeoff.products': 'lines come with their document',
  'company.user.activity': 'who did what is no record of the family',
  'company.user.key.index': 'keys come among the users',
  'company.webhook.index': 'it tells of copies, and is none of the goods and money',
  'company.webhook.deliveries': 'kept for days only',
  'company.user.role.index': 'rights concern who calls, not what is copied',
};

test('every list under /company/ is a type of the copy, or is named with a reason', async () => {
  const routes = await discoverRoutes();
  const lists = routes.flatMap(({ path, endpoints }) => {
    const { GET } = endpoints;
    if (!path.startsWith('/company/') || !GET?.metadata.query) return [];
    const pages = GET.metadata.query.safeParse({ page: 1 });
    return pages.success ? [GET.metadata.right] : [];
  });
  const copied = SyncType.options.flatMap((type) => rightFor(type) ?? []);
  expect(new Set(lists)).toEqual(new Set([...copied, ...Object.keys(NOT_COPIED)]));
});

test('every type of the contract is copied once, and followed by the feed', () => {
  const types = SyncType.options.map((type) => syncDefinitionOf(type).type);
  expect(types).toEqual(SyncType.options);
  const followed = new Set([...Object.values(FEED_TYPES), STOCK_LEVEL.type, COMPANY_RATES.type]);
  expect(followed).toEqual(new Set(SyncType.options));
});
