import { make } from '#bin/demo/client.ts';
import { readShelves } from '#lib/stock/shelves.ts';
import { completeWriteOff } from '#lib/trade/write-off/complete.ts';
import { billedAtMost } from '../units.ts';
import { type DocumentFigure, measureCalls, middleOf, type TradeScene } from './documents.ts';

const WRITE_OFFS = '/company/trade/writeoff';

const CALLS = 5;

/** Completes write-offs of a hundred and a thousand lines: medians of five. */
export async function measureWriteOffs(scene: TradeScene): Promise<DocumentFigure[]> {
  const figures: DocumentFigure[] = [];
  for (const lines of [100, 1000]) {
    await completeWriteOff(scene.actor, await newDraft(scene, lines), Date.now(), () => []);
    const route = `PATCH ${WRITE_OFFS}/{model}/complete`;
    const calls = await measureCalls(scene, CALLS, async () => {
      const request = `PATCH ${WRITE_OFFS}/${await newDraft(scene, lines)}/complete`;
      return { request, route };
    });
    const other = await newDraft(scene, lines);
    const billed = await billedAtMost(() => completeWriteOff(scene.actor, other, Date.now(), () => []));
    figures.push({ what: `write-off of ${lines} lines, complete`, ...middleOf(calls), ...billed });
  }
  return figures;
}

async function newDraft({ client, actor, shop }: TradeScene, count: number): Promise<number> {
  const goods = shop.products.slice(0, count);
  const { before } = await readShelves(actor.home, shop.stock, goods);
  const products = goods.map((product_id) => {
    const source_product_id = before.get(product_id)?.batches[0]?.id;
    return { product_id, source_product_id, quantity: 1, reason: 'common_loss' };
  });
  return make(client, WRITE_OFFS, { source_type: 'stock', source_id: shop.stock, name: 'Bench', products });
}
