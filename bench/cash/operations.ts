import type { MeasuredShop } from '#bench/kit/measured-shop.ts';
import type { Scene } from '#bench/kit/scene.ts';
import { loadPostings } from './postings.ts';

const PATH = '/company/cashbox/operation';

const OFTEN = { warm: 20, times: 60 };
const WRITING = { ...OFTEN, allowed_ms: 25 };
const READING = { ...OFTEN, allowed_ms: 15 };

/** Moves money by hand, and looks at it, at desks with so many more postings. */
export async function cashScenes({ client, actor, shop }: MeasuredShop, size: number): Promise<Scene[]> {
  await loadPostings(actor, shop.desks, size, Date.now());
  const reasonOf = (type: string) =>
    client.make('/company/cashbox/reason', { type, name: `Bench, ${size} postings` });
  const [cashbox_id = 0, to_cashbox_id = 0] = shop.desks;
  const cash = { payment_type: 'cash', currency: 'uzs' };
  const plenty = { ...cash, type: 'income', amount: 1_000_000_000, reason_id: await reasonOf('income') };
  for (const desk of shop.desks) {
    await client.call(`POST ${PATH}`, { ...plenty, cashbox_id: desk });
  }
  const expense = { cashbox_id, type: 'outcome', ...cash, amount: 100, reason_id: await reasonOf('outcome') };
  const collection = { cashbox_id, items: [{ ...cash, amount: 100 }] };
  const conversion = {
    ...{ cashbox_id, payment_type: 'cash', from_currency: 'uzs', from_amount: 126.5 },
    ...{ to_currency: 'usd', to_amount: 0.01 },
  };
  const move = { from_cashbox_id: cashbox_id, to_cashbox_id, ...cash, amount: 100 };
  const spend = () => client.make(PATH, expense);
  const collect = () => client.make(`${PATH}/collection`, collection);
  const sending = (what: string, path: string, json: object): Scene => {
    return { what, ...WRITING, prepare: () => ({ request: `POST ${path}`, json }) };
  };
  const changing = (what: string, pathTo: () => Promise<string>, json = {}): Scene => {
    return { what, ...WRITING, prepare: async () => ({ request: `PATCH ${await pathTo()}`, json }) };
  };
  const reading = (what: string, path: string): Scene => {
    return { what, ...READING, prepare: () => ({ request: `GET ${path}` }) };
  };
  const scenes = [
    sending('expense', PATH, expense),
    changing('return', async () => `${PATH}/${await spend()}/return`),
    changing('cancel', async () => `${PATH}/${await spend()}/cancel`, { cancel_comment: 'Bench' }),
    sending('conversion', `${PATH}/conversion`, conversion),
    sending('move between desks', `${PATH}/transfer`, move),
    sending('collection', `${PATH}/collection`, collection),
    changing('confirmation', async () => `${PATH}/collection/${await collect()}/confirm`),
    reading('stats', `${PATH}/stats`),
    reading('sale desks', `${PATH}/cashboxes`),
    reading('list of manual movements', PATH),
    reading('postings of a desk', `/company/cashbox/cashbox/${cashbox_id}/transfers`),
  ];
  return scenes.map((scene) => ({ ...scene, what: `${scene.what}, beside ${size} postings` }));
}
