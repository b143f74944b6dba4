import { setTimeout as pause } from 'node:timers/promises';
import { print } from '../cli/main.ts';
import { type Person, signInAs } from '../cli/person.ts';
import { moveClock } from './clock.ts';
import { type DemoShop, withSpaces } from './shop.ts';

const TARIFF = 'GET /company/tariff';

const CARD = { card_number: '8600123412341234', expire_date: '12/29' };

/**
 * Shows how a subscription is paid by card and by QR, and how a debtor is blocked and unblocked. Moves the
 * service's clock, and resets it.
 */
export async function playBilling(shop: DemoShop): Promise<void> {
  const { address, companyId, admin, director } = shop;
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 3 };
  const prices = { main: 100_000, branch: 40_000 };
  await admin.call(`PUT /admin/billing/tariff/${companyId}`, { ...terms, prices });
  const first = await director.call(TARIFF);
  print('A company gets a tariff of 100 000 a month with three days of grace. The first is charged at once:');
  print(`it owes ${withSpaces(first.number('due_now'))}, and would be blocked at ${first.text('block_at')}.`);

  await payByCard(director, 100_000);
  const balance = async () => withSpaces((await director.call(TARIFF)).number('balance'));
  print(`The gateway has notified the service: the balance is ${await balance()}.`);
  await payByQr(director, 50_000);
  print(`The balance is ${await balance()}.`);

  try {
    await oweAndBeFreed(shop);
  } finally {
    await moveClock(address, null);
  }
  print("The clock shows the machine's time again.");
}

/** Moves the clock past the next charge and the grace days, and pays once the shop is blocked. */
async function oweAndBeFreed({ address, names, password, director }: DemoShop): Promise<void> {
  const next = (await director.call(TARIFF)).text('next_payment_at');
  await moveClock(address, `${next}T09:00`);
  // The expiry of tokens is checked by that clock.
  const later = await signInAs(address, names.director, password);
  const owing = await later.call(TARIFF);
  const due = owing.number('due_now');
  const blocking = owing.text('block_at');
  print(`\nThe clock moves to ${next}. The second month is charged: ${withSpaces(-due)}.`);
  await later.make('/company/stock/stock', { name: 'Ombor 2' });
  print('Within the days of grace the shop works on.');

  await moveClock(address, `${blocking.slice(0, 10)}T09:00`);
  const blocked = await signInAs(address, names.director, password);
  const refused = await blocked.expectRefusal(400, 'POST /company/stock/stock', { name: 'Ombor 3' });
  print(`\nThe clock moves to ${blocking}. Writing is refused: “${refused.text('message')}”`);
  await payByCard(blocked, due);
  await blocked.make('/company/stock/stock', { name: 'Ombor 3' });
  print(`The debt is paid, and the shop is free: it is ${(await blocked.call(TARIFF)).text('status')}.`);
}

async function payByCard(person: Person, amount: number): Promise<void> {
  const asked = await person.call('POST /company/tariff/pay-card', { amount, ...CARD });
  const payment = { transaction_id: asked.text('transaction_id'), cid: asked.text('cid') };
  const confirm = 'POST /company/tariff/pay-card/confirm';
  print(`\nThe director pays ${withSpaces(amount)} by card; a code goes to ${asked.text('otp_sent_phone')}.`);
  const wrong = await person.expectRefusal(400, confirm, { ...payment, otp: '000000' });
  print(`A wrong code: “${wrong.text('message')}” The right one is taken.`);
  await person.call(confirm, { ...payment, otp: '111111' });
  await untilPaid(person, asked.text('external_id'));
}

async function payByQr(person: Person, amount: number): Promise<void> {
  const asked = await person.call('POST /company/tariff/pay-qr', { amount, provider: 'provider_a' });
  const [page, { length }] = [asked.text('checkout_url'), asked.text('qr_content')];
  print(`\nHe pays ${withSpaces(amount)} more by a QR code, a PNG of ${length} characters, for ${page}`);
  await fetch(page, { method: 'POST' });
  await untilPaid(person, asked.text('external_id'));
  print('Whoever scans it pays on the page of the provider.');
}

async function untilPaid(person: Person, externalId: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await person.call(`GET /company/tariff/payment-status/${externalId}`);
    if (JSON.stringify(body).includes('"is_paid":true')) return;
    await pause(100);
  }
  throw new Error('The gateway did not notify the service within ten seconds');
}
