import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { loadPostings } from './postings.ts';

const PATH = '/company/cashbox/operation';
const CASH = { payment_type: 'cash', currency: 'uzs' };

const OFTEN = { warm: 20, times: 60 };
const WRITING = { ...OFTEN, allowed_ms: 25 };
const READING = { ...OFTEN, allowed_ms: 15 };

/** Returns scenes of cash operations and their reads, at desks with this many more postings. */
export async function cashScenes(stage: MeasuredShop, size: number): Promise<Scene[]> {
  const { client, actor, shop } = stage;
  await loadPostings(actor, shop.desks, size, Date.now());
  const reasonOf = (type: string) =>
    client.make('/company/cashbox/reason', { type, name: `Bench, ${size} postings` });
  const plenty = { ...CASH, type: 'income', amount: 1_000_000_000, reason_id: await reasonOf('income') };
  for (const cashbox_id of shop.desks) await client.call(`POST ${PATH}`, { ...plenty, cashbox_id });
  const scenes = [...writing(stage, await reasonOf('outcome')), ...reading(stage)];
  return scenes.map((scene) => ({ ...scene, what: `${scene.what}, beside ${size} postings` }));
}

function writing({ client, shop }: MeasuredShop, reason_id: number): Scene[] {
  const [cashbox_id = 0, to_cashbox_id = 0] = shop.desks;
  const expense = { cashbox_id, type: 'outcome', ...CASH, amount: 100, reason_id };
  const collection = { cashbox_id, items: [{ ...CASH, amount: 100 }] };
  const uzs = { from_currency: 'uzs', from_amount: 126.5 };
  const conversion = { cashbox_id, payment_type: 'cash', ...uzs, to_currency: 'usd', to_amount: 0.01 };
  const move = { from_cashbox_id: cashbox_id, to_cashbox_id, ...CASH, amount: 100 };
  const spend = () => client.make(PATH, expense);
  const collect = () => client.make(`${PATH}/collection`, collection);
  const json = { cancel_comment: 'Bench' };
  return scenesOf(WRITING, {
    expense: () => ({ request: `POST ${PATH}`, json: expense }),
    return: async () => ({ request: `PATCH ${PATH}/${await spend()}/return` }),
    cancel: async () => ({ request: `PATCH ${PATH}/${await spend()}/cancel`, json }),
    conversion: () => ({ request: `POST ${PATH}/conversion`, json: conversion }),
    'move between desks': () => ({ request: `POST ${PATH}/transfer`, json: move }),
    collection: () => ({ request: `POST ${PATH}/collection`, json: collection }),
    confirmation: async () => ({ request: `PATCH ${PATH}/collection/${await collect()}/confirm` }),
  });
}

function reading({ shop }: MeasuredShop): Scene[] {
  return scenesOf(READING, {
    stats: () => ({ request: `GET ${PATH}/stats` }),
    'sale desks': () => ({ request: `GET ${PATH}/cashboxes` }),
    'list of manual movements': () => ({ request: `GET ${PATH}` }),
    'postings of a desk': () => ({ request: `GET /company/cashbox/cashbox/${shop.desks[0]}/transfers` }),
  });
}
