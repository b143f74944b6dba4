import { make } from '#bin/demo/client.ts';
import { cancelTransfer, completeTransfer } from '#lib/trade/transfer/arrive.ts';
import { StockTransferInput } from '#lib/trade/transfer/input.ts';
import { sendGoods } from '#lib/trade/transfer/send.ts';
import { billedWrites } from '../units.ts';
import { type DocumentFigure, measureCall, type TradeScene } from './documents.ts';

const TRANSFERS = '/company/trade/transfer';

/** Sends a hundred lines to another warehouse, completes one such transfer and cancels another. */
export async function measureTransfers(scene: TradeScene): Promise<DocumentFigure[]> {
  const { client, actor, shop } = scene;
  const to_stock_id = await make(client, '/company/stock/stock', { name: 'Bench, second' });
  const products = shop.products.slice(0, 100).map((product_id) => ({ product_id, quantity: 1 }));
  const json = { from_stock_id: shop.stock, to_stock_id, products };
  const input = StockTransferInput.parse(json);
  const send = async () => (await sendGoods(actor, input, Date.now(), () => [])).id;
  const warm = await make(client, TRANSFERS, json);
  await client(`PATCH ${TRANSFERS}/${warm}/complete`);
  const sent = await measureCall(scene, { request: `POST ${TRANSFERS}`, json });
  const figures: DocumentFigure[] = [
    { what: 'transfer of 100 lines, send', ...sent, written_units: await billedWrites(send) },
  ];
  const endings = [
    { word: 'complete', end: completeTransfer },
    { word: 'cancel', end: cancelTransfer },
  ] as const;
  for (const { word, end } of endings) {
    const request = `PATCH ${TRANSFERS}/${await send()}/${word}`;
    const measured = await measureCall(scene, { request, route: `PATCH ${TRANSFERS}/{model}/${word}` });
    const other = await send();
    const written_units = await billedWrites(() => end(actor, other, Date.now(), () => []));
    figures.push({ what: `transfer of 100 lines, ${word}`, ...measured, written_units });
  }
  return figures;
}
