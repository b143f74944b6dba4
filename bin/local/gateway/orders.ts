import { randomBytes } from 'node:crypto';
import * as z from 'zod';

/** A payment in the gateway. */
export interface Order {
  readonly external_id: string;
  readonly transaction_id: string;
  readonly cid: string;
  readonly amount: number;
  status: 'pending' | 'paid' | 'failed';
  readonly created_at: string;
}

/** A response of the gateway: a status and JSON. */
export interface GatewayAnswer {
  readonly status: number;
  readonly json: object;
}

const Asked = z.object({ external_id: z.string(), amount: z.number() });

const Card = Asked.extend({
  card_number: z.string(),
  expire_date: z.string(),
  phone: z.string().nullable(),
});

const Code = z.object({ transaction_id: z.string(), cid: z.string(), otp: z.string() });

/** Cards with special behaviour. Contract 9.58. */
const CARD_DOWN = '8600000000000503';
export const CARD_SLOW = '8600000000000504';
const CARD_REFUSED = '9860000000000403';

const RIGHT_CODE = '111111';
const EXPIRED_CODE = '999999';

/** The gateway's orders, in memory, and its responses. */
export class Orders {
  readonly #byId = new Map<string, Order>();
  readonly #paid: (order: Order) => void;

  /** `paid` is called for each order that has been paid. */
  constructor(paid: (order: Order) => void) {
    this.#paid = paid;
  }

  byCard(body: unknown): GatewayAnswer {
    const { card_number, ...order } = Card.parse(body);
    if (card_number === CARD_DOWN) return refusal(503, 'down');
    if (card_number === CARD_REFUSED) return refusal(400, 'card_refused');
    const { transaction_id, cid } = this.#add(order);
    return { status: 200, json: { transaction_id, cid, otp_sent_phone: '99890*****67' } };
  }

  byQr(body: unknown, address: string): GatewayAnswer {
    const { external_id, transaction_id } = this.#add(Asked.parse(body));
    return { status: 200, json: { transaction_id, checkout_url: `${address}/checkout/${external_id}` } };
  }

  /** Confirms an order by the payer's code: `111111` is right, `999999` has expired, all others are wrong. */
  confirm(body: unknown): GatewayAnswer {
    const { transaction_id, cid, otp } = Code.parse(body);
    const order = [...this.#byId.values()].find((each) => each.transaction_id === transaction_id);
    if (order?.cid !== cid) return refusal(404, 'not_found');
    if (otp === EXPIRED_CODE) return refusal(400, 'otp_expired');
    if (otp !== RIGHT_CODE) return refusal(400, 'otp_wrong');
    this.pay(order.external_id);
    return { status: 200, json: { transaction_id, status: 'processing' } };
  }

  show(externalId: string): GatewayAnswer {
    const order = this.#byId.get(externalId);
    if (!order) return refusal(404, 'not_found');
    const { cid, ...payment } = order;
    return { status: 200, json: payment };
  }

  /** Pays an order; false if it does not exist. Paying again repeats the notification. */
  pay(externalId: string): boolean {
    const order = this.#byId.get(externalId);
    if (!order) return false;
    order.status = 'paid';
    this.#paid(order);
    return true;
  }

  #add({ external_id, amount }: z.output<typeof Asked>): Order {
    const word = () => randomBytes(12).toString('hex');
    const created_at = new Date().toISOString();
    const order: Order = {
      external_id,
      amount,
      created_at,
      transaction_id: word(),
      cid: word(),
      status: 'pending',
    };
    this.#byId.set(external_id, order);
    return order;
  }
}

function refusal(status: number, code: string): GatewayAnswer {
  return { status, json: { code } };
}
