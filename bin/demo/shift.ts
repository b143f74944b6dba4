import * as z from 'zod';
import { expectReply, make } from './client.ts';
import { type Story, spaced } from './story.ts';

const SHIFTS = '/company/trade/cashbox-shift';
const CHANGE = 10_000;
const TAXI = 3000;
const MISSING = 500;

const Running = z.object({ summary: z.object({ rows: z.array(z.object({ expected: z.number() })) }) });

const Closed = z.object({
  summary: z.object({
    checks_count: z.int(),
    rows: z.array(z.object({ difference: z.number(), transferred: z.number(), left: z.number() })),
  }),
});

/** Works a late shift: opens it with change, sells, pays a taxi, and closes it by a count that is short. */
export async function workShift({ director, cashier, stock_id, cashbox_id, say }: Story): Promise<void> {
  const settings = { cashbox_shift_settings: { is_enabled: true } };
  await expectReply(200, director('PUT /company/company/settings', settings));
  const cash = { payment_type: 'cash', currency: 'uzs' };
  const products = [{ product_id: 1, sold_quantity: 1 }];
  const transactions = [{ payment_type: 'cash', amount: 4000 }];
  const sale = { cashbox_id, stock_id, currency: 'uzs', products, transactions };
  const refused = await expectReply(400, cashier('POST /company/trade/sale', sale));
  say(`\nFor the night the director has desks work in shifts: ${JSON.stringify(refused.body)}`);

  const opening = { cashbox_id, stock_id, opening_balances: [{ ...cash, amount: CHANGE }] };
  const shift = await make(cashier, SHIFTS, opening);
  await make(cashier, '/company/trade/sale', sale);
  const reason_id = await make(cashier, `${SHIFTS}/expense-reasons`, { name: 'Taksi' });
  await make(cashier, `${SHIFTS}/${shift}/expense`, { ...cash, amount: TAXI, reason_id });
  const running = Running.parse((await cashier(`GET ${SHIFTS}/${shift}`)).body);
  const [{ expected } = { expected: 0 }] = running.summary.rows;
  say(
    `The cashier opens one with ${spaced(CHANGE)} of change, sells a bottle and pays a taxi ${spaced(TAXI)}: ` +
      `${spaced(expected)} should be in the desk.`,
  );

  const count = { actuals: [{ ...cash, amount: expected - MISSING }], closing_comment: 'Kam chiqdi' };
  const ending = { closing_action: 'transfer_part', leave_amounts: [{ currency: 'uzs', amount: CHANGE }] };
  const { body } = await expectReply(200, cashier(`PATCH ${SHIFTS}/${shift}/close`, { ...count, ...ending }));
  const { checks_count, rows } = Closed.parse(body).summary;
  const [row] = rows;
  say(
    `A count finds ${spaced(-(row?.difference ?? 0))} less. The shift is closed with ${checks_count} cheque: ` +
      `${spaced(row?.left ?? 0)} stay for tomorrow, ${spaced(row?.transferred ?? 0)} go to the main desk.`,
  );
}
