import { DeskMoney, deskMoneyKey, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { transfersOf } from '#lib/cash/transfer/make.ts';
import { type StoredTransfer, TRANSFER } from '#lib/cash/transfer/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { sell } from '#lib/trade/sale/sell.ts';
import { closeShift } from '#lib/trade/shift/close.ts';
import { ClosingInput, OpeningInput } from '#lib/trade/shift/input.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { quantile } from '../service.ts';
import { chequeOf } from '../shop.ts';
import { type DocumentFigure, measureCall, setUpTrade, type TradeScene } from '../trade/documents.ts';
import { billedWrites } from '../units.ts';
import { writeItems } from '../write-items.ts';

const SHIFTS = '/company/trade/cashbox-shift';
const PRICE = 5000;
const WARM_UP = 2;
const MEASURED = 7;

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

/** A close that posts a shortage of one sum, and collects all that is left. */
const ENDING = { closing_action: 'transfer_all', closing_comment: 'Bench' };

const NOTHING = () => [];

type Called = Awaited<ReturnType<typeof measureCall>>;

/**
 * Measures opening a shift and closing it with a shortage and a collection after 10, 1 000 and 10 000
 * cheques: the medians of seven. The cheques are transfers that are loaded, with the sums that sales would
 * have kept.
 */
export async function measureShifts(): Promise<DocumentFigure[]> {
  const scene = await setUpTrade(1, 1);
  const settings = { cashbox_shift_settings: { is_enabled: true } };
  await scene.client('PUT /company/company/settings', settings);
  const figures: DocumentFigure[] = [];
  for (const cheques of [10, 1_000, 10_000]) figures.push(...(await shiftsOf(cheques, scene)));
  await scene.service.stop();
  return figures;
}

async function shiftsOf(cheques: number, scene: TradeScene): Promise<DocumentFigure[]> {
  const { actor, shop } = scene;
  const [cashbox_id = 0] = shop.desks;
  const opening = { cashbox_id, stock_id: shop.stock, opening_balances: [{ ...CASH, amount: 1000 }] };
  const closing = { ...ENDING, actuals: [{ ...CASH, amount: 1000 + cheques * PRICE - 1 }] };
  const cheque = chequeOf(shop, cashbox_id, shop.products);
  const opened: Called[] = [];
  const sold: Called[] = [];
  const closed: Called[] = [];
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    opened.push(await measureCall(scene, { request: `POST ${SHIFTS}`, json: opening }));
    const shift = await loadCheques(scene, cheques - 1);
    sold.push(await measureCall(scene, { request: 'POST /company/trade/sale', json: cheque }));
    const request = `PATCH ${SHIFTS}/${shift}/close`;
    closed.push(await measureCall(scene, { request, route: `PATCH ${SHIFTS}/{model}/close`, json: closing }));
  }
  const told = { at: Date.now(), locale: 'ru' } as const;
  const openUnits = await billedWrites(() => openShift(actor, OpeningInput.parse(opening), told, NOTHING));
  const id = await loadCheques(scene, cheques - 1);
  const saleUnits = await billedWrites(() => sell(actor, SaleInput.parse(cheque), Date.now(), NOTHING));
  const closeUnits = await billedWrites(() =>
    closeShift(actor, { id, ...ClosingInput.parse(closing) }, told, NOTHING),
  );
  return [
    { what: `open a shift of ${cheques} cheques`, ...median(opened), written_units: openUnits },
    { what: 'a sale of one line in it', ...median(sold), written_units: saleUnits },
    { what: 'close it', ...median(closed), written_units: closeUnits },
  ];
}

/** Loads the transfers of so many cheques into the open shift of the desk, and answers with its id. */
async function loadCheques({ actor, shop }: TradeScene, cheques: number): Promise<number> {
  const { home, id: creator_id, companyId: company_id } = actor;
  const [cashbox_id = 0] = shop.desks;
  const before = DeskMoney.parse(await getItem(deskMoneyKey(home, cashbox_id)));
  const firstId = await nextId(TRANSFER, home, cheques);
  const place = { company_id, cashbox_id, creator_id, source_type: 'sale', comment: null } as const;
  let money = before;
  const transfers: StoredTransfer[] = [];
  for (let index = 0; index < cheques; index++) {
    const occasion = { ...place, source_id: index + 1, at: Date.now() };
    const made = transfersOf(
      money,
      [{ type: 'income', ...CASH, amount: PRICE * 100 }],
      occasion,
      firstId + index,
    );
    if (!made) throw new Error('The desk has too much');
    money = addToShift(made.money, { checks: 1 });
    transfers.push(...made.transfers);
  }
  await writeItems(transfers.map((each) => ({ ...recordKey(TRANSFER, home, each.id), ...each, version: 1 })));
  await transact([deskMoneyWrite(home, { id: cashbox_id, company_id }, before, money)]);
  if (!money.shift) throw new Error('No shift is open');
  return money.shift.id;
}

/** Gives the worst answer, the median time and the most round trips of calls, without those that warm up. */
function median(calls: readonly Called[]) {
  const measured = calls.slice(WARM_UP);
  return {
    status: Math.max(...calls.map(({ status }) => status)),
    ms: quantile(measured.map(({ ms }) => ms)),
    round_trips: Math.max(...measured.map(({ round_trips }) => round_trips)),
  };
}
