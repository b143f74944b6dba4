import { type Client, signIn } from '#bin/demo/client.ts';
import { SIGNATURE, signatureOf } from '#lib/access/signature.ts';
import { endPayment } from '#lib/billing/payment/credit.ts';
import { payByQr } from '#lib/billing/payment/start.ts';
import { metered, newMeter, roundTripsOf } from '#lib/table/meter.ts';
import { linesOf, type MeasuredService, quantile } from '../service.ts';
import { type DocumentFigure, setUpTrade, type TradeScene } from '../trade/documents.ts';
import { billedWrites } from '../units.ts';

const NOTIFICATION = '/external/billing/payment-notification';
const WARM_UP = 5;
const MEASURED = 20;
const AMOUNT = 100_000;

/** Measures what a payment's notification costs, what its worker does, and a read of the tariff. */
export async function measureBilling(): Promise<DocumentFigure[]> {
  const scene = await setUpTrade(1, 1);
  const admin = await signIn(scene.service.address, 'admin');
  await setTariff(admin, scene.actor.familyId);
  const figures = [await notified(scene), await credited(scene), await read(scene)];
  await scene.service.stop();
  return figures;
}

async function setTariff(admin: Client, companyId: number): Promise<void> {
  await admin(`PUT /admin/billing/tariff/${companyId}`, {
    prices: { main: 1000, branch: 500 },
    billing_period: 'monthly',
    trial_ends_at: null,
    grace_days: 30,
  });
}

async function newPayment({ actor }: TradeScene): Promise<string> {
  const input = { amount: AMOUNT, provider: 'provider_a' } as const;
  return (await payByQr(actor, input, Date.now(), () => [])).external_id;
}

/** Measures a notification as the gateway sends it: it is only queued. */
async function notified(scene: TradeScene): Promise<DocumentFigure> {
  const times: number[] = [];
  let status = 0;
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const external_id = await newPayment(scene);
    const told = {
      external_id,
      transaction_id: 'bench',
      amount: AMOUNT / 100,
      status: 'paid',
      created_at: '',
    };
    const began = performance.now();
    status = Math.max(status, await post(scene.service, JSON.stringify(told)));
    times.push(performance.now() - began);
  }
  const lines = await linesOf(scene.service, `POST ${NOTIFICATION}`, times.length);
  return {
    what: 'a notification, queued',
    status,
    ms: quantile(times.slice(WARM_UP)),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    written_units: 0,
  };
}

async function post({ address }: MeasuredService, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', [SIGNATURE]: signatureOf(body) };
  return (await fetch(`${address}${NOTIFICATION}`, { method: 'POST', headers, body })).status;
}

/** Measures what the worker does of it. */
async function credited(scene: TradeScene): Promise<DocumentFigure> {
  const times: number[] = [];
  let round_trips = 0;
  const end = async () => {
    const ended = { external_id: await newPayment(scene), amount: AMOUNT, status: 'paid' } as const;
    return () => endPayment({ ...ended, at: Date.now() });
  };
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const run = await end();
    const meter = newMeter();
    const began = performance.now();
    await metered(meter, run);
    times.push(performance.now() - began);
    round_trips = Math.max(round_trips, roundTripsOf(meter));
  }
  return {
    what: 'a payment, credited by the worker',
    status: 200,
    ms: quantile(times.slice(WARM_UP)),
    round_trips,
    written_units: await billedWrites(await end()),
  };
}

async function read({ service, client }: TradeScene): Promise<DocumentFigure> {
  const times: number[] = [];
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const began = performance.now();
    await client('GET /company/tariff');
    times.push(performance.now() - began);
  }
  const lines = await linesOf(service, 'GET /company/tariff', times.length);
  return {
    what: 'the tariff, read with nothing due',
    status: Math.max(...lines.map(({ status }) => status)),
    ms: quantile(times.slice(WARM_UP)),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    written_units: 0,
  };
}
