import type { Reply } from '#bin/cli/person.ts';
import { renderInstant } from '#lib/values/time.ts';
import { type ClientTask, createRecord, nextStep } from './client-task.ts';
import { changing, type Task, withoutTrace } from './operation.ts';
import { sale } from './sell.ts';

const PRODUCTS = '/company/product/product';
const CLIENTS = '/company/client/client';
const REPRICINGS = '/company/trade/recalculation-batch';
const RATES = '/company/cashbox/currency-rate';

/** Prices of the goods whose price changes, in sums. */
const PRICES = [4000, 5500, 7777.77, 12_000];

/** Changes a product's price in one of the available ways, and sells a piece at its current price. */
export async function repriceSome(errand: ClientTask): Promise<void> {
  const { scene, chance, run, ask } = errand;
  const { id, external_id } = chance.oneOf(scene.priced);
  const sale_price = chance.oneOf(PRICES);
  const product = { sale_price, sale_currency: 'uzs' };
  const batch = { company_id: scene.familyId, products: [{ product_id: id, ...product }] };
  const sync = { products: [{ external_id, ...product }] };
  const way = chance.oneOf([
    withoutTrace('repricing', errand, `POST ${REPRICINGS}`, { json: batch }),
    withoutTrace('sync of products', errand, `PUT ${PRODUCTS}/sync`, { json: sync, isKeyed: true }),
    withoutTrace('edit of a product', errand, `PUT ${PRODUCTS}/${id}`, {
      json: { ...scene.card, name: external_id, barcode: external_id, ...product },
      isKeyed: true,
    }),
  ]);
  await run(way);
  const card = await ask(`GET ${PRODUCTS}/${id}`);
  if (card?.status !== 200) return;
  // Another client may have changed it since: then the payment is wrong and the sale is refused.
  const transactions = [{ payment_type: 'cash', amount: card.number('sale_price') }];
  const products = [{ product_id: id, sold_quantity: 1 }];
  await run(sale(nextStep(errand, 'sale'), { products, transactions }));
}

/** Time for which a planned repricing is certainly in the future by any clock. */
const AHEAD_MS = 10_000;
const MINUTE_MS = 60_000;

/** Sets prices of the price type, now or from the next minute on, and sells a piece by the type. */
export async function repriceByType(errand: ClientTask): Promise<void> {
  const { scene, chance, run, ask } = errand;
  const { id: product_id } = chance.oneOf(scene.priced);
  const price_type_id = chance.next() < 0.7 ? scene.priceTypeId : null;
  const price = { sale_price: chance.oneOf(PRICES), sale_currency: 'uzs' };
  const batch = { company_id: scene.familyId, products: [{ product_id, price_type_id, ...price }] };
  if (chance.next() < 0.4) return planRepricing(errand, batch);
  await run(withoutTrace('repricing by type', errand, `POST ${REPRICINGS}`, { json: batch }));
  const card = await ask(`GET ${PRODUCTS}/${product_id}`);
  if (card?.status !== 200) return;
  const transactions = [{ payment_type: 'cash', amount: priceIn(card, scene.priceTypeId) }];
  const products = [{ product_id, sold_quantity: 1 }];
  const json = { price_type_id: scene.priceTypeId, products, transactions };
  await run(sale(nextStep(errand, 'sale'), json));
}

/** Returns a product's price of a type; without one it is the sale price. */
function priceIn(card: Reply, priceTypeId: number): number {
  const own = card.rows('prices').find((price) => price.number('price_type_id') === priceTypeId);
  return own ? own.number('price') : card.number('sale_price');
}

/** Plans a repricing from a minute on, and at times cancels it, unless it was made by then. */
async function planRepricing(errand: ClientTask, batch: object): Promise<void> {
  const { chance, run } = errand;
  const starts_at = renderInstant(Math.ceil((Date.now() + AHEAD_MS) / MINUTE_MS) * MINUTE_MS);
  const json = { ...batch, starts_at };
  const id = await createRecord(
    errand,
    withoutTrace('planned repricing', errand, `POST ${REPRICINGS}`, { json }),
  );
  if (id !== undefined && chance.next() < 0.3)
    await run(changing('repricing cancel', nextStep(errand, 'cancel'), id));
}

/** Sets the rate of a currency without payments, and a draft of a desk. */
export async function tendDesk(errand: ClientTask): Promise<void> {
  const { scene, chance, run, ask } = errand;
  const rates = await ask(`GET ${RATES}/settings`);
  const euro = rates?.status === 200 && rates.rows('rows').find((row) => row.text('currency') === 'eur');
  if (euro) {
    const json = { rate: chance.between(13_000, 14_000) };
    const request = `PUT ${RATES}/${euro.number('id')}`;
    await run(withoutTrace('rate', nextStep(errand, 'rate'), request, { json, isKeyed: true }));
  }
  const draft = `/company/trade/cashbox/${chance.oneOf(scene.desks)}/cheque/${chance.between(2, 3)}`;
  const products = chance.some(scene.hot, 2).map((product_id) => ({ product_id, quantity: 1 }));
  const json = { stock_id: scene.stockId, products };
  await run(withoutTrace('draft', nextStep(errand, 'draft'), `PUT ${draft}`, { json, isKeyed: true }));
  if (chance.next() < 0.5)
    await run(withoutTrace('draft', nextStep(errand, 'end'), `DELETE ${draft}`, { isKeyed: true }));
}

/** Creates a client or a product, edits and deletes it, and at times restores it. */
export async function tendCards(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const { kind, path, form } = chance.oneOf([clientForm, productForm])(errand);
  const made = withoutTrace(`new ${kind}`, errand, `POST ${path}`, { json: form(kind), isKeyed: false });
  const id = await createRecord(errand, made);
  if (id === undefined) return;
  const again = { isKeyed: true };
  const edit = { json: form(`${kind}, changed`), ...again };
  await run(withoutTrace(`edit of a ${kind}`, nextStep(errand, 'edit'), `PUT ${path}/${id}`, edit));
  await run(withoutTrace(`end of a ${kind}`, nextStep(errand, 'end'), `DELETE ${path}/${id}`, again));
  if (chance.next() < 0.5)
    await run(
      withoutTrace(`way back of a ${kind}`, nextStep(errand, 'back'), `DELETE ${path}/${id}/restore`, again),
    );
}

function clientForm({ name }: Task) {
  const [client = 0, number = 0] = name.match(/\d+/g)?.map(Number) ?? [];
  const main_phone = `998${910_000_000 + client * 100_000 + number}`;
  return { kind: 'client', path: CLIENTS, form: (full_name: string) => ({ full_name, main_phone }) };
}

function productForm({ scene, name }: Task) {
  const price = { sale_price: 9000, sale_currency: 'uzs' };
  const form = (what: string) => ({ ...scene.card, ...price, barcode: name, name: `${what} ${name}` });
  return { kind: 'product', path: PRODUCTS, form };
}

/** Changes the description or the secret of the family's webhook: pending deliveries stay. */
export async function tendWebhook(errand: ClientTask): Promise<void> {
  const { chance, run, ask } = errand;
  const list = await ask('GET /company/webhook');
  const [webhook] = list?.status === 200 ? list.rows() : [];
  if (!webhook) return;
  const place = `/company/webhook/${webhook.number('id')}`;
  if (chance.next() < 0.5) {
    const request = `POST ${place}/rotate-secret`;
    await run(withoutTrace('rotation of a secret', errand, request, { isKeyed: true }));
    return;
  }
  const types = webhook.rows('types').map(({ body }) => body);
  const json = { url: webhook.text('url'), types, description: errand.name };
  await run(withoutTrace('edit of a webhook', errand, `PUT ${place}`, { json, isKeyed: true }));
}
