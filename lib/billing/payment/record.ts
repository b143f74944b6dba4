import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { madeBy } from '#lib/auth/actor.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import { put, putNew, remove, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { familyTenant, type Key, partition } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Money } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Type of payments in their keys. */
export const TARIFF_PAYMENT = 'tariff-payment';

/** Statuses of a payment. Contract 2, "Tariff payment". */
export const PaymentStatus = enumeration('tariff_payment', ['pending', 'paid', 'canceled', 'failed']);

/** A payment for a tariff. No card data is stored. */
export const TariffPayment = z.object({
  external_id: z.string(),
  /** Transaction id of the gateway. */
  transaction_id: z.string(),
  family_id: z.int(),
  company_id: z.int(),
  ...madeBy,
  method: z.enum(['card', 'qr']),
  provider: z.string().nullable(),
  amount: Money,
  status: PaymentStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export type TariffPayment = z.input<typeof TariffPayment>;

/** Partition of payments whose end the gateway has not yet reported, ordered by time. */
export const PENDING_PAYMENTS = 'tariff-payment-watched';

/** The family id, by which a notification finds it, and 128 random bits against guessing. */
const EXTERNAL_ID = /^(\d{1,12})-[0-9a-f]{32}$/;

/** Generates the id of a new payment, known to the payer and the gateway. */
export function newExternalId(familyId: number): string {
  return `${familyId}-${randomBytes(16).toString('hex')}`;
}

/** Reads a payment; undefined if it does not exist. One round trip. */
export async function findPayment(externalId: string): Promise<Stored<typeof TariffPayment> | undefined> {
  const familyId = familyIn(externalId);
  const item = familyId === undefined ? undefined : await getItem(paymentKey(familyId, externalId));
  return item && parseRecord(TariffPayment, item);
}

/** Parses the family id of a payment's id; undefined if it is invalid. */
export function familyIn(externalId: string): number | undefined {
  const id = EXTERNAL_ID.exec(externalId)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** Builds the writes of a new payment, which is watched until the gateway reports its end. */
export function paymentInsertion(payment: TariffPayment): Write[] {
  const { family_id, external_id, created_at } = payment;
  return [
    putNew(paymentKey(family_id, external_id), { ...payment, version: 1 }),
    putNew(watchKey(payment), { external_id, created_at }),
  ];
}

/** Builds the write of a payment's new status; `Contention` if it has changed since it was read. */
export function statusWrite(
  before: Stored<typeof TariffPayment>,
  status: TariffPayment['status'],
  updated_at: Instant,
): Write {
  const item = { ...before, status, updated_at, version: before.version + 1 };
  const unchanged = { if: equals('version', before.version) };
  return put(paymentKey(before.family_id, before.external_id), item, unchanged);
}

/** Builds the writes that end a payment and stop watching it. */
export function paymentEnd(
  before: Stored<typeof TariffPayment>,
  status: 'paid' | 'failed',
  at: Instant,
): Write[] {
  return [statusWrite(before, status, at), remove(watchKey(before))];
}

/** Returns the key of a payment. */
export function paymentKey(familyId: number, externalId: string): Key {
  return { pk: partition(TARIFF_PAYMENT, familyTenant(familyId)), sk: externalId };
}

function watchKey({ external_id, created_at }: Pick<TariffPayment, 'external_id' | 'created_at'>): Key {
  return { pk: PENDING_PAYMENTS, sk: `${String(created_at).padStart(15, '0')}#${external_id}` };
}
