import { make } from '#bin/demo/client.ts';
import { cancelTransfer, completeTransfer } from '#lib/trade/transfer/arrive.ts';
import { StockTransferInput } from '#lib/trade/transfer/input.ts';
import { sendGoods } from '#lib/trade/transfer/send.ts';
import { billedWrites } from '../units.ts';
import { type DocumentFigure, measureCalls, middleOf, type TradeScene } from './documents.ts';

const TRANSFERS = '/company/trade/transfer';

const CALLS = 5;

/** Sends a hundred lines to another warehouse, completes some such transfers and cancels others: medians. */
export async function measureTransfers(scene: TradeScene): Promise<DocumentFigure[]> {
  const { client, actor, shop } = scene;
  const to_stock_id = await make(client, '/company/stock/stock', { name: 'Bench, second' });
  const products = shop.products.slice(0, 100).map((product_id) => ({ product_id, quantity: 1 }));
  const json = { from_stock_id: shop.stock, to_stock_id, products };
  const input = StockTransferInput.parse(json);
  const send = async () => (await sendGoods(actor, input, Date.now(), () => [])).id;
  const warm = await make(client, TRANSFERS, json);
  await client(`PATCH ${TRANSFERS}/${warm}/complete`);
  const sent = await measureCalls(scene, CALLS, () => ({ request: `POST ${TRANSFERS}`, json }));
  const figures: DocumentFigure[] = [
    { what: 'transfer of 100 lines, send', ...middleOf(sent), written_units: await billedWrites(send) },
  ];
  const endings = [
    { word: 'complete', end: completeTransfer },
    { word: 'cancel', end: cancelTransfer },
  ] as const;
  for (const { word, end } of endings) {
    const route = `PATCH ${TRANSFERS}/{model}/${word}`;
    const callOf = async () => ({ request: `PATCH ${TRANSFERS}/${await send()}/${word}`, route });
    const ended = await measureCalls(scene, CALLS, callOf);
    const other = await send();
    const written_units = await billedWrites(() => end(actor, other, Date.now(), () => []));
    figures.push({ what: `transfer of 100 lines, ${word}`, ...middleOf(ended), written_units });
  }
  return figures;
}
