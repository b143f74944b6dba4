import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';

const WRITE_OFFS = '/company/trade/writeoff';
const TRANSFERS = '/company/trade/transfer';

/** A document of this many lines is rarer than a sale. */
const SELDOM = { warm: 1, times: 5 };

/** Returns scenes that complete write-offs of this many lines, and transfer as many to another warehouse. */
export async function documentScenes(stage: MeasuredShop, lines: number): Promise<Scene[]> {
  return [...writeOffs(stage, lines), ...(await transfers(stage, lines))];
}

function writeOffs({ client, actor, shop }: MeasuredShop, lines: number): Scene[] {
  const taken = shop.products.slice(0, lines);
  const draft = async () => {
    const { before } = await readStockLevels(actor.tenant, shop.stock, taken);
    const products = taken.map((product_id) => {
      const source_product_id = before.get(product_id)?.batches[0]?.id;
      return { product_id, source_product_id, quantity: 1, reason: 'common_loss' };
    });
    return client.make(WRITE_OFFS, { source_type: 'stock', source_id: shop.stock, name: 'Bench', products });
  };
  return scenesOf(SELDOM, {
    [`write-off of ${lines} lines, complete`]: async () => ({
      request: `PATCH ${WRITE_OFFS}/${await draft()}/complete`,
    }),
  });
}

async function transfers({ client, shop }: MeasuredShop, lines: number): Promise<Scene[]> {
  const to_stock_id = await client.make('/company/stock/stock', { name: `Bench, second of ${lines}` });
  const products = shop.products.slice(0, lines).map((product_id) => ({ product_id, quantity: 1 }));
  const json = { from_stock_id: shop.stock, to_stock_id, products };
  const end = async (word: 'complete' | 'cancel') => ({
    request: `PATCH ${TRANSFERS}/${await client.make(TRANSFERS, json)}/${word}`,
  });
  // The destination must have these goods already: new stock levels cost less.
  await client.call((await end('complete')).request);
  return scenesOf(SELDOM, {
    [`transfer of ${lines} lines, send`]: () => ({ request: `POST ${TRANSFERS}`, json }),
    [`transfer of ${lines} lines, complete`]: () => end('complete'),
    [`transfer of ${lines} lines, cancel`]: () => end('cancel'),
  });
}
