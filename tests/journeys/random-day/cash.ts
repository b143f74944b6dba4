import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { confirm } from '#lib/cash/collection/end.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import { ConversionInput, convert, MoveInput, moveBetween } from '#lib/cash/operation/move.ts';
import { moveTender, TenderInput } from '#lib/cash/operation/tender.ts';
import { deskPostings } from '#lib/cash/posting/record.ts';
import { type Day, documentsOf } from './day.ts';
import { chosen, deskOf, type How, type Makings } from './step.ts';
import { moneyOf } from './tender.ts';

const at = () => Date.now();

const cash = (how: How) => {
  const currency = moneyOf(how);
  return { payment_type: 'cash', currency, amount: how.pieces * (currency === 'uzs' ? 100.25 : 0.01) };
};

/** Steps of money that is moved by hand, and collected. */
export const CASH_STEPS = {
  income: async (day, actor, how) => {
    const money = {
      cashbox_id: deskOf(day, how),
      type: 'income',
      ...cash(how),
      reason_id: day.reasons.income,
    };
    return (saveResponse) => moveByReason(actor, OperationInput.parse(money), at(), saveResponse);
  },
  expense: async (day, actor, how) => {
    const money = {
      cashbox_id: deskOf(day, how),
      type: 'outcome',
      ...cash(how),
      reason_id: day.reasons.outcome,
    };
    return (saveResponse) => moveByReason(actor, OperationInput.parse(money), at(), saveResponse);
  },
  operationReturn: async (day, actor, how) => {
    const id = await manual(day, how);
    return id === undefined ? undefined : (saveResponse) => reverse(actor, id, at(), saveResponse);
  },
  operationCancel: async (day, actor, how) => {
    const id = await manual(day, how);
    const why = { cancel_comment: 'Ошибка' };
    return id === undefined
      ? undefined
      : (saveResponse) => cancelOperation(actor, { id, ...why }, at(), saveResponse);
  },
  conversion: async (day, actor, how) => {
    const kinds = {
      from_currency: 'uzs',
      from_amount: how.pieces * 120,
      to_currency: 'usd',
      to_amount: 0.01,
    };
    const input = ConversionInput.parse({ cashbox_id: deskOf(day, how), payment_type: 'cash', ...kinds });
    return (saveResponse) => convert(actor, input, at(), saveResponse);
  },
  deskMove: async (day, actor, how) => {
    const sides = { from_cashbox_id: deskOf(day, how), to_cashbox_id: day.cashboxIds[how.pieces % 4] };
    const money = { payment_type: 'cash', currency: 'uzs', amount: how.pieces };
    const input = MoveInput.parse({ ...sides, ...money });
    return (saveResponse) => moveBetween(actor, input, at(), saveResponse);
  },
  tenderMove: async (day, actor, how) => {
    const ways = how.pick % 2 ? ['cash', 'bank'] : ['card', 'cash'];
    const [from_payment_type, to_payment_type] = ways;
    const fee = { amount: 0.01, reason_id: day.reasons.outcome };
    const money = { currency: 'uzs', amount: how.pieces * 10.5, ...(how.pick % 3 === 0 && { fee }) };
    const desk = { cashbox_id: deskOf(day, how), from_payment_type, to_payment_type };
    const input = TenderInput.parse({ ...desk, ...money });
    return (saveResponse) => moveTender(actor, input, at(), saveResponse);
  },
  collection: async (day, actor, how) => {
    const input = CollectionInput.parse({ cashbox_id: deskOf(day, how), items: [cash(how)] });
    return (saveResponse) => collect(actor, input, at(), saveResponse);
  },
  collectionConfirm: async (day, actor, how) => {
    const id = (await onHold(day, how))?.id;
    return id === undefined
      ? undefined
      : (saveResponse) => confirm(actor, { id, items: [], comment: null }, at(), saveResponse);
  },
  collectionDifference: async (day, actor, how) => {
    const sent = await onHold(day, how);
    if (!sent) return undefined;
    const items = sent.items.map(({ amount, ...kind }, index) => {
      return { ...kind, amount: index > 0 ? amount : Math.max(0, amount + (how.pick % 2 ? 101 : -1)) };
    });
    const counted = { id: sent.id, items, comment: 'Пересчёт' };
    return (saveResponse) => confirm(actor, counted, at(), saveResponse);
  },
  collectionCancel: async (day, actor, how) => {
    const [id] = (await onHold(day, how))?.posting_ids ?? [];
    const why = { cancel_comment: 'Ошибка' };
    return id === undefined
      ? undefined
      : (saveResponse) => cancelOperation(actor, { id, ...why }, at(), saveResponse);
  },
} satisfies Makings;

async function manual({ tenant }: Day, how: How): Promise<number | undefined> {
  const postings = await documentsOf(tenant, deskPostings);
  return chosen(postings, how, ({ source_type }) => source_type === 'reason')?.id;
}

async function onHold({ tenant }: Day, how: How) {
  return chosen(await documentsOf(tenant, collections), how, ({ status }) => status === 'on_hold');
}
