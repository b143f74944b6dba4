import * as z from 'zod';
import { SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { ApiError, badRequest, notFound } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { type MinorUnits, Money } from '#lib/values/money.ts';

/** How long the gateway may take. A call of ours has to end within API Gateway's 30 seconds. */
const TIMEOUT_MS = 8000;

/** The codes of a refusal by the gateway that are the payer's business. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  otp_wrong: 'tariff.otp_wrong',
  otp_expired: 'tariff.otp_expired',
  card_refused: 'tariff.card_refused',
};

/** A card payment that waits for the code which the gateway has sent to the card's phone. */
export const CardPayment = z.object({
  transaction_id: z.string(),
  cid: z.string(),
  otp_sent_phone: z.string(),
});

const QrPayment = z.object({ transaction_id: z.string(), checkout_url: z.url() });

/** The gateway's answer to a code. */
export const CardConfirmation = z.object({ transaction_id: z.string(), status: z.string() });

/** A payment as the gateway knows it. */
const GatewayPayment = z.object({
  external_id: z.string(),
  transaction_id: z.string(),
  amount: z.number(),
  status: z.enum(['pending', 'paid', 'failed']),
});

/** A card as it was typed in. It is passed on, and neither kept nor told to anyone else. */
export interface Card {
  readonly card_number: string;
  readonly expire_date: string;
  readonly phone: string | null;
}

/** The providers of payments by QR. Part 3, "Subscription tariff and payment". */
export const QrProvider = z.enum(['provider_a', 'provider_b', 'provider_c', 'provider_d']);

interface Order {
  readonly external_id: string;
  readonly amount: MinorUnits;
}

/** A failure of the gateway: 503 for the caller, its cause for the log. */
class GatewayFailure extends ApiError {
  constructor(request: string, cause: string) {
    super(503, { key: 'tariff.gateway_unavailable' }, {}, 30);
    this.message = `The gateway fails at ${request}: ${cause}`;
  }
}

/** Has the gateway send a code to a card's phone. 400 if it refuses the card, 503 if it fails. */
export function orderByCard(order: Order, card: Card) {
  return ask('POST /payments/card', CardPayment, { ...wireOf(order), ...card });
}

/** Has the gateway take a payment by QR. 503 if it fails. */
export function orderByQr(order: Order, provider: z.output<typeof QrProvider>) {
  return ask('POST /payments/qr', QrPayment, { ...wireOf(order), provider });
}

/**
 * Passes the payer's code on. 400 for a wrong or expired code, 404 for an unknown payment, 503 if it
 * fails.
 */
export function confirmByCode(code: {
  readonly transaction_id: string;
  readonly cid: string;
  readonly otp: string;
}) {
  return ask('POST /payments/card/confirm', CardConfirmation, code);
}

/** Asks how a payment stands; undefined if the gateway does not know it. Asked again once if that fails. */
export async function fetchPaymentStatus(external_id: string) {
  const request = `GET /payments/${external_id}`;
  const attempt = () => ask(request, GatewayPayment);
  try {
    return await attempt().catch((error: unknown) => {
      if (error instanceof GatewayFailure) return attempt();
      throw error;
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function wireOf({ external_id, amount }: Order) {
  return { external_id, amount: z.decode(Money, amount) };
}

/**
 * Asks the gateway, by the one way to it: signed by the secret that both know, over HTTPS, in limited time.
 */
async function ask<S extends z.ZodType>(request: string, answers: S, body?: object): Promise<z.output<S>> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const text = body === undefined ? path : JSON.stringify(body);
  const response = await fetch(`${requireEnv('GATEWAY_URL')}${path}`, {
    method,
    headers: { 'content-type': 'application/json', [SIGNATURE]: signatureOf(text) },
    body: body === undefined ? null : text,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
    .then(async (answered) => ({ status: answered.status, json: await answered.json() }))
    .catch((error: unknown) => {
      throw new GatewayFailure(request, error instanceof Error ? error.name : 'unknown');
    });
  if (response.status === 404) throw notFound();
  if (response.status >= 400) throw refusalBy(request, response.status, response.json);
  const answer = answers.safeParse(response.json);
  if (!answer.success) throw new GatewayFailure(request, 'an answer of another form');
  return answer.data;
}

function refusalBy(request: string, status: number, json: unknown): ApiError {
  const code = z.object({ code: z.string() }).safeParse(json).data?.code ?? '';
  const key = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return status < 500 && key ? badRequest(key) : new GatewayFailure(request, String(status));
}
