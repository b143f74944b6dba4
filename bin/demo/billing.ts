import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { type Client, expectReply, make, signIn } from './client.ts';
import { spaced } from './story.ts';
import { newTenant } from './tenant.ts';

const Tariff = z.object({
  status: z.string(),
  balance: z.number(),
  due_now: z.number(),
  block_at: z.string().nullable(),
  next_payment_at: z.string(),
});

const ByCard = z.object({
  external_id: z.string(),
  transaction_id: z.string(),
  cid: z.string(),
  otp_sent_phone: z.string(),
});

const ByQr = z.object({ external_id: z.string(), checkout_url: z.string(), qr_content: z.string() });

const Told = z.object({ message: z.string() });

const CARD = { card_number: '8600123412341234', expire_date: '12/29' };

/**
 * Tells how a subscription is paid by card and by QR, and how a debtor is blocked and freed. It moves the
 * clock of the service, and puts it back.
 */
export async function tellBilling(address: string, say: (sentence: string) => void): Promise<void> {
  const { companyId, names, password, director } = await newTenant(address);
  const admin = await signIn(address, 'admin');
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 3 };
  const prices = { main: 100_000, branch: 40_000 };
  await expectReply(200, admin(`PUT /admin/billing/tariff/${companyId}`, { ...terms, prices }));
  const first = await tariffOf(director);
  say(
    'A company gets a tariff of 100 000 a month with three days of grace. The first month is charged at once:',
  );
  say(`it owes ${spaced(first.due_now)}, and would be blocked at ${first.block_at}.`);

  await payByCard(director, 100_000, say);
  say(`The gateway has notified the service: the balance is ${(await tariffOf(director)).balance}.`);
  await payByQr(director, 50_000, say);
  say(`The balance is ${spaced((await tariffOf(director)).balance)}.`);

  try {
    const { next_payment_at } = await tariffOf(director);
    await moveClock(address, `${next_payment_at}T09:00`);
    // Tokens are judged by that clock.
    const later = await signIn(address, names.director, password);
    const owing = await tariffOf(later);
    say(`\nThe clock moves to ${next_payment_at}. The second month is charged: ${spaced(-owing.due_now)}.`);
    await makeWarehouse(later, 'Ombor');
    say('Within the days of grace the shop works on.');

    await moveClock(address, `${owing.block_at?.slice(0, 10)}T09:00`);
    const blocked = await signIn(address, names.director, password);
    const refused = await expectReply(400, blocked('POST /company/stock/stock', { name: 'Ombor 2' }));
    say(`\nThe clock moves to ${owing.block_at}. Writing is refused: “${Told.parse(refused.body).message}”`);
    await payByCard(blocked, owing.due_now, say);
    await makeWarehouse(blocked, 'Ombor 2');
    say(`The debt is paid, and the shop is free: it is ${(await tariffOf(blocked)).status}.`);
  } finally {
    await moveClock(address, null);
  }
  say("The clock shows the machine's time again.");
}

async function payByCard(client: Client, amount: number, say: (sentence: string) => void): Promise<void> {
  const reply = await expectReply(200, client('POST /company/tariff/pay-card', { amount, ...CARD }));
  const { external_id, transaction_id, cid, otp_sent_phone } = ByCard.parse(reply.body);
  const send = (otp: string) => client('POST /company/tariff/pay-card/confirm', { transaction_id, cid, otp });
  say(`\nThe director pays ${spaced(amount)} by card; a code goes to ${otp_sent_phone}.`);
  const wrong = await expectReply(400, send('000000'));
  say(`A wrong code: “${Told.parse(wrong.body).message}” The right one is taken.`);
  await expectReply(200, send('111111'));
  await untilPaid(client, external_id);
}

async function payByQr(client: Client, amount: number, say: (sentence: string) => void): Promise<void> {
  const body = { amount, provider: 'provider_a' };
  const reply = await expectReply(200, client('POST /company/tariff/pay-qr', body));
  const { external_id, checkout_url, qr_content } = ByQr.parse(reply.body);
  say(
    `\nHe pays ${spaced(amount)} more by a QR code, a PNG of ${qr_content.length} characters, for ${checkout_url}`,
  );
  await fetch(checkout_url, { method: 'POST' });
  await untilPaid(client, external_id);
  say('Whoever scans it pays on the page of the provider.');
}

async function untilPaid(client: Client, externalId: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { body } = await expectReply(200, client(`GET /company/tariff/payment-status/${externalId}`));
    if (z.object({ is_paid: z.boolean() }).parse(body).is_paid) return;
    await pause(100);
  }
  throw new Error('The gateway did not notify the service within ten seconds');
}

async function tariffOf(client: Client): Promise<z.output<typeof Tariff>> {
  return Tariff.parse((await expectReply(200, client('GET /company/tariff'))).body);
}

function makeWarehouse(client: Client, name: string): Promise<number> {
  return make(client, '/company/stock/stock', { name });
}

async function moveClock(address: string, now: string | null): Promise<void> {
  const response = await fetch(`${address}/_local/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ now }),
  });
  if (!response.ok) throw new Error(`The service at ${address} has no clock to set: is it npm start?`);
}
