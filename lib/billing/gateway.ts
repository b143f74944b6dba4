import * as z from 'zod';
import { SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { ApiError, badRequest, notFound } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { requireEnv } from '#lib/values/env.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { type MinorUnits, Money } from '#lib/values/money.ts';

/** Timeout of the gateway. A request of ours must end within API Gateway's 30 seconds. */
const TIMEOUT_MS = 8000;

/** Gateway error codes that are reported to the payer. */
const PAYER_ERRORS: Readonly<Record<string, ErrorCode>> = {
  otp_wrong: 'tariff.otp_wrong',
  otp_expired: 'tariff.otp_expired',
  card_refused: 'tariff.card_refused',
};

/** A card payment that awaits the code sent by the gateway to the card's phone. */
export const CardPayment = z.object({
  transaction_id: z.string(),
  cid: z.string(),
  otp_sent_phone: z.string(),
});

const QrPayment = z.object({ transaction_id: z.string(), checkout_url: z.url() });

/** Response of the gateway to a code. */
export const CardConfirmation = z.object({ transaction_id: z.string(), status: z.string() });

/** A payment in the gateway. */
const GatewayPayment = z.object({
  external_id: z.string(),
  transaction_id: z.string(),
  amount: z.number(),
  status: z.enum(['pending', 'paid', 'failed']),
});

/** A card as entered. It is passed on to the gateway only, never stored. */
export interface Card {
  readonly card_number: string;
  readonly expire_date: string;
  readonly phone: string | null;
}

/** Providers of payments by QR. Part 3, "Subscription tariff and payment". */
export const QrProvider = enumeration('tariff.provider', [
  'provider_a',
  'provider_b',
  'provider_c',
  'provider_d',
]);

interface Order {
  readonly external_id: string;
  readonly amount: MinorUnits;
}

/** Failure of the gateway: 503 for the caller, the cause for the log. */
class GatewayFailure extends ApiError {
  constructor(request: string, cause: string) {
    super(503, { key: 'tariff.gateway_unavailable' }, {}, 30);
    this.message = `The gateway fails at ${request}: ${cause}`;
  }
}

/** Requests a code for a card's phone. 400 if the gateway rejects the card, 503 if it fails. */
export function orderByCard(order: Order, card: Card) {
  return callGateway('POST /payments/card', CardPayment, { ...wireOf(order), ...card });
}

/** Orders a payment by QR. 503 if the gateway fails. */
export function orderByQr(order: Order, provider: z.output<typeof QrProvider>) {
  return callGateway('POST /payments/qr', QrPayment, { ...wireOf(order), provider });
}

/**
 * Confirms a card payment by the payer's code. 400 for a wrong or expired code, 404 for an unknown payment,
 * 503 if the gateway fails.
 */
export function confirmByCode(code: {
  readonly transaction_id: string;
  readonly cid: string;
  readonly otp: string;
}) {
  return callGateway('POST /payments/card/confirm', CardConfirmation, code);
}

/** Fetches a payment's status; undefined if the gateway does not know it. Retried once if it fails. */
export async function fetchPaymentStatus(external_id: string) {
  const request = `GET /payments/${external_id}`;
  const attempt = () => callGateway(request, GatewayPayment);
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

/** Sends a request to the gateway over HTTPS, signed with the shared secret, with a timeout. */
async function callGateway<S extends z.ZodType>(
  request: string,
  answers: S,
  body?: object,
): Promise<z.output<S>> {
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
  if (response.status >= 400) throw errorOf(request, response.status, response.json);
  const answer = answers.safeParse(response.json);
  if (!answer.success) throw new GatewayFailure(request, 'an answer of another form');
  return answer.data;
}

function errorOf(request: string, status: number, json: unknown): ApiError {
  const code = z.object({ code: z.string() }).safeParse(json).data?.code ?? '';
  const key = Object.hasOwn(PAYER_ERRORS, code) ? PAYER_ERRORS[code] : undefined;
  return status < 500 && key ? badRequest(key) : new GatewayFailure(request, String(status));
}
