import { addProducts } from '#lib/trade/hold/add.ts';
import { cancelHold } from '#lib/trade/hold/cancel.ts';
import { create } from '#lib/trade/hold/create.ts';
import { HeldGoods, HoldInput } from '#lib/trade/hold/input.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { sell } from '#lib/trade/sale/sell.ts';
import { billedWrites } from '../units.ts';
import { type DocumentFigure, measureCalls, middleOf, setUpTrade, type TradeScene } from './documents.ts';

const HOLDS = '/company/trade/hold';
const WARM_UP = 20;
const MEASURED = 40;

/** Measures holding goods, adding to a hold, canceling and selling it: the medians of forty calls. */
export async function measureHolds(): Promise<DocumentFigure[]> {
  const scene = await setUpTrade(100, 1);
  const figures: DocumentFigure[] = [];
  for (const lines of [1, 10, 100]) figures.push(...(await holdsOf(lines, scene)));
  await scene.service.stop();
  return figures;
}

async function holdsOf(lines: number, scene: TradeScene): Promise<DocumentFigure[]> {
  const { actor, shop } = scene;
  const [cashbox_id = 0] = shop.desks;
  const products = shop.products.slice(0, lines).map((product_id) => ({ product_id, quantity: 1 }));
  const goods = { cashbox_id, cheque: 1, products };
  const json = { ...goods, stock_id: shop.stock, full_name: 'Bench' };
  const paid = { transactions: [{ payment_type: 'cash', amount: lines * 5000 }] };
  const saleOf = (hold_id: number) => ({
    cashbox_id,
    stock_id: shop.stock,
    currency: 'uzs',
    hold_id,
    ...paid,
  });
  const at = Date.now();
  const nothing = () => [];
  const made = async () => (await create(actor, HoldInput.parse(json), at, nothing)).id;
  const operations = [
    {
      what: 'hold',
      call: async () => ({ request: `POST ${HOLDS}`, json }),
      run: async () => made(),
    },
    {
      what: 'add to a hold',
      call: async () => change(await made(), 'add-products', goods),
      run: (id: number) => addProducts(actor, { id, ...HeldGoods.parse(goods) }, at, nothing),
    },
    {
      what: 'cancel a hold',
      call: async () => change(await made(), 'cancel'),
      run: (id: number) => cancelHold(actor, id, at, nothing),
    },
    {
      what: 'sell a hold',
      call: async () => ({ request: 'POST /company/trade/sale', json: saleOf(await made()) }),
      run: (id: number) => sell(actor, SaleInput.parse(saleOf(id)), at, nothing),
    },
  ];
  const figures: DocumentFigure[] = [];
  for (const { what, call, run } of operations) {
    const calls = await measureCalls(scene, WARM_UP + MEASURED, call);
    const id = await made();
    figures.push({
      what: `${what}, ${lines} lines`,
      ...middleOf(calls.slice(WARM_UP)),
      written_units: await billedWrites(() => run(id)),
    });
  }
  return figures;
}

function change(id: number, word: string, json?: object) {
  const named = { request: `PATCH ${HOLDS}/${id}/${word}`, route: `PATCH ${HOLDS}/{model}/${word}` };
  return json ? { ...named, json } : named;
}
