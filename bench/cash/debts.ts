import { make } from '#bin/demo/client.ts';
import { DebtPaymentInput } from '#lib/trade/debt-payment/input.ts';
import { payDebts } from '#lib/trade/debt-payment/pay.ts';
import { linesOf, quantile } from '../service.ts';
import { chequeOf } from '../shop.ts';
import { setUpTrade, type TradeScene } from '../trade/documents.ts';
import { billedWrites } from '../units.ts';

/** The cost of paying debts. Times in milliseconds, over HTTP, one caller. */
interface DebtFigure {
  readonly what: string;
  readonly failed: number;
  readonly p50_ms: number;
  readonly allowed_ms: number;
  readonly p95_ms: number;
  readonly round_trips: number;
  /** As AWS bills them. */
  readonly written_units: number;
}

/** How many debts a call pays, how often it is measured, and what it may take. */
const SIZES = [
  { debts: 1, calls: 40, allowed_ms: 40 },
  { debts: 10, calls: 20, allowed_ms: 60 },
  { debts: 100, calls: 5, allowed_ms: 800 },
] as const;

const WARM_UP = 3;
const PRICE = 5000;
const ROUTE = 'POST /company/client/debt-payment';

/** Pays all debts of a client at once: one, ten and a hundred. */
export async function measureDebts(): Promise<DebtFigure[]> {
  const scene = await setUpTrade(1, 1);
  const { client, actor, service } = scene;
  const client_id = await make(client, '/company/client/client', {
    full_name: 'Bench',
    main_phone: '998900000001',
  });
  const figures: DebtFigure[] = [];
  for (const { debts, calls, allowed_ms } of SIZES) {
    const times: number[] = [];
    let failed = 0;
    const before = service.lines.filter(({ route }) => route === ROUTE).length;
    for (let each = 0; each < WARM_UP + calls; each++) {
      const json = await owe(scene, client_id, debts);
      const began = performance.now();
      const { status } = await client(ROUTE, json);
      if (each >= WARM_UP) times.push(performance.now() - began);
      if (status !== 200) failed += 1;
    }
    const lines = (await linesOf(service, ROUTE, before + WARM_UP + calls)).slice(before + WARM_UP);
    const input = DebtPaymentInput.parse(await owe(scene, client_id, debts));
    figures.push({
      what: `payment of ${debts} debts`,
      failed,
      p50_ms: quantile(times),
      allowed_ms,
      p95_ms: quantile(times, 0.95),
      round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
      written_units: await billedWrites(() => payDebts(actor, input, Date.now(), () => [])),
    });
  }
  await service.stop();
  return figures;
}

/** Sells so many cheques on debt, and makes the body that pays them all. */
async function owe({ client, shop }: TradeScene, client_id: number, debts: number): Promise<object> {
  const [cashbox_id = 0] = shop.desks;
  const transactions = [{ payment_type: 'debt', amount: PRICE }];
  const cheque = {
    ...chequeOf(shop, cashbox_id, shop.products),
    client_id,
    due_date: '2099-01-31',
    transactions,
  };
  for (let each = 0; each < debts; each++) await make(client, '/company/trade/sale', cheque);
  const payments = [{ payment_type: 'cash', amount: PRICE * debts }];
  return { client_id, cashbox_id, payments };
}
