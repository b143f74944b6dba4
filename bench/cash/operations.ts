import * as z from 'zod';
import { make } from '#bin/demo/client.ts';
import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { confirm } from '#lib/cash/collection/confirm.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { CancelInput, cancelOperation } from '#lib/cash/operation/cancel.ts';
import { ConversionInput, convert } from '#lib/cash/operation/conversion.ts';
import { MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { reverse } from '#lib/cash/operation/reverse.ts';
import { linesOf, quantile } from '../service.ts';
import { setUpTrade, type TradeScene } from '../trade/documents.ts';
import { billedWrites } from '../units.ts';
import { loadTransfers } from './transfers.ts';

/** The cost of moving money by hand, and of looking at it. Times in milliseconds, over HTTP, one caller. */
interface OperationFigure {
  readonly transfers: number;
  readonly what: string;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly allowed_ms: number;
  readonly round_trips: number;
  /** As AWS bills them; none for reading. */
  readonly written_units?: number;
}

/** A call of the API. */
interface Called {
  readonly request: string;
  readonly json?: object;
}

interface Measured {
  readonly what: string;
  readonly route: string;
  readonly allowed_ms: number;
  /** Prepares a call, and answers with it. */
  readonly call: () => Promise<Called>;
  /** Prepares the same in this process, and answers with the work. */
  readonly here?: () => Promise<() => Promise<unknown>>;
}

const DESKS = 10;
const SIZES = (process.env['SIZES'] ?? '1000,100000').split(',').map(Number);
const WARM_UP = 20;
const MEASURED = 60;
const WRITING_MS = 25;
const READING_MS = 15;

const PATH = '/company/cashbox/operation';

/** Measures operations at ten desks that have a thousand transfers, and a hundred thousand. */
export async function measureOperations(): Promise<OperationFigure[]> {
  const scene = await setUpTrade(1, DESKS);
  const { desks } = scene.shop;
  const operations = await operationsIn(scene);
  const figures: OperationFigure[] = [];
  let loaded = 0;
  for (const size of SIZES) {
    await loadTransfers(scene.actor.home, desks, size - loaded, Date.now());
    loaded = size;
    for (const measured of operations) figures.push(await measure(scene, measured, size));
  }
  await scene.service.stop();
  return figures;
}

async function operationsIn({ client, actor, shop }: TradeScene): Promise<Measured[]> {
  const [cashbox_id = 0, to_cashbox_id = 0] = shop.desks;
  const [income, outcome] = [
    await make(client, '/company/cashbox/reason', { type: 'income', name: 'Bench' }),
    await make(client, '/company/cashbox/reason', { type: 'outcome', name: 'Bench' }),
  ];
  const cash = { payment_type: 'cash', currency: 'uzs' };
  for (const desk of shop.desks) {
    const plenty = { ...cash, cashbox_id: desk, type: 'income', amount: 1_000_000_000, reason_id: income };
    await client(`POST ${PATH}`, plenty);
  }
  const nothing = () => [];
  const now = () => Date.now();
  const expense = { cashbox_id, type: 'outcome', ...cash, amount: 100, reason_id: outcome };
  const conversion = {
    ...{ cashbox_id, payment_type: 'cash', from_currency: 'uzs', from_amount: 126.5 },
    ...{ to_currency: 'usd', to_amount: 0.01 },
  };
  const move = { from_cashbox_id: cashbox_id, to_cashbox_id, ...cash, amount: 100 };
  const collection = { cashbox_id, items: [{ ...cash, amount: 100 }] };
  const canceled = { cancel_comment: 'Bench' };
  const spend = () => moveByReason(actor, OperationInput.parse(expense), now(), nothing);
  const take = () => collect(actor, CollectionInput.parse(collection), now(), nothing);
  const spent = async () => Made.parse((await client(`POST ${PATH}`, expense)).body).id;
  const taken = async () => Made.parse((await client(`POST ${PATH}/collection`, collection)).body).id;
  const writing = (what: string, word: string, rest: Pick<Measured, 'call' | 'here'>): Measured => {
    return {
      what,
      route: `${word.startsWith('POST') ? '' : 'PATCH '}${word}`,
      allowed_ms: WRITING_MS,
      ...rest,
    };
  };
  const reading = (what: string, request: string): Measured => {
    const route = `GET ${request.split('?')[0]}`;
    return { what, route, allowed_ms: READING_MS, call: async () => ({ request: `GET ${request}` }) };
  };
  return [
    writing('expense', `POST ${PATH}`, {
      call: async () => ({ request: `POST ${PATH}`, json: expense }),
      here: async () => spend,
    }),
    writing('return', `${PATH}/{model}/return`, {
      call: async () => ({ request: `PATCH ${PATH}/${await spent()}/return` }),
      here: async () => {
        const { id } = await spend();
        return () => reverse(actor, id, now(), nothing);
      },
    }),
    writing('cancel', `${PATH}/{model}/cancel`, {
      call: async () => ({ request: `PATCH ${PATH}/${await spent()}/cancel`, json: canceled }),
      here: async () => {
        const { id } = await spend();
        return () => cancelOperation(actor, { id, ...CancelInput.parse(canceled) }, now(), nothing);
      },
    }),
    writing('conversion', `POST ${PATH}/conversion`, {
      call: async () => ({ request: `POST ${PATH}/conversion`, json: conversion }),
      here: async () => () => convert(actor, ConversionInput.parse(conversion), now(), nothing),
    }),
    writing('move between desks', `POST ${PATH}/transfer`, {
      call: async () => ({ request: `POST ${PATH}/transfer`, json: move }),
      here: async () => () => moveBetween(actor, MoveInput.parse(move), now(), nothing),
    }),
    writing('collection', `POST ${PATH}/collection`, {
      call: async () => ({ request: `POST ${PATH}/collection`, json: collection }),
      here: async () => take,
    }),
    writing('confirmation', `${PATH}/collection/{model}/confirm`, {
      call: async () => ({ request: `PATCH ${PATH}/collection/${await taken()}/confirm` }),
      here: async () => {
        const { id } = await take();
        return () => confirm(actor, id, now(), nothing);
      },
    }),
    reading('stats', `${PATH}/stats`),
    reading('sale desks', `${PATH}/cashboxes`),
    reading('list of manual movements', PATH),
    reading('transfers of a desk', `/company/cashbox/cashbox/${cashbox_id}/transfers`),
  ];
}

const Made = z.object({ id: z.int() });

async function measure(
  { service, client }: TradeScene,
  { what, route, allowed_ms, call, here }: Measured,
  transfers: number,
): Promise<OperationFigure> {
  const times: number[] = [];
  let failed = 0;
  const logged = route.replace(/cashbox\/\d+\/transfers/, 'cashbox/{model}/transfers');
  const before = service.lines.filter((line) => line.route === logged).length;
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const { request, json } = await call();
    const began = performance.now();
    const { status } = await client(request, json);
    if (each >= WARM_UP) times.push(performance.now() - began);
    if (status !== 200) failed += 1;
  }
  const lines = (await linesOf(service, logged, before + WARM_UP + MEASURED)).slice(before + WARM_UP);
  return {
    ...{ transfers, what, failed, p50_ms: quantile(times), p95_ms: quantile(times, 0.95), allowed_ms },
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    ...(here && { written_units: await billedWrites(await here()) }),
  };
}
