import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { signInAs } from '#bin/cli/person.ts';
import { SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { endPayment } from '#lib/billing/payment/end.ts';
import { payByQr } from '#lib/billing/payment/start.ts';

const AMOUNT = 100_000;
const OFTEN = { warm: 5, times: 20 };

/** Returns scenes that receive a payment notification, run its worker, and read the tariff. */
export async function billingScenes({ service, actor }: MeasuredShop): Promise<Scene[]> {
  const admin = await signInAs(service.address, 'admin');
  const tariff = {
    prices: { main: 1000, branch: 500 },
    billing_period: 'monthly',
    trial_ends_at: null,
    grace_days: 30,
  };
  await admin.call(`PUT /admin/billing/tariff/${actor.familyId}`, tariff);
  const paying = async () => {
    const input = { amount: AMOUNT, provider: 'provider_a' } as const;
    return (await payByQr(actor, input, Date.now(), () => [])).external_id;
  };
  return scenesOf(OFTEN, {
    'a notification, queued': async () => {
      const paid = { transaction_id: 'bench', amount: AMOUNT / 100, status: 'paid', created_at: '' };
      const json = { external_id: await paying(), ...paid };
      const headers = { [SIGNATURE]: signatureOf(JSON.stringify(json)) };
      return { request: 'POST /external/billing/payment-notification', json, headers };
    },
    'a payment, credited by the worker': async () => {
      const ended = { external_id: await paying(), amount: AMOUNT, status: 'paid' } as const;
      return () => endPayment({ ...ended, at: Date.now() });
    },
    'the tariff, read with nothing due': () => ({ request: 'GET /company/tariff' }),
  });
}
