import type { Staff } from '#lib/auth/actor.ts';
import { findRecord } from '#lib/records/record.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { newRecord } from '#lib/records/records-of.ts';
import type { Write } from '#lib/table/change/write.ts';
import { withoutErrors } from '#lib/table/change/writes.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import type { Instant } from '#lib/values/time.ts';
import { clients, newClient } from './client.ts';
import { ClientBalances, clientBalancesKey } from './client-balances.ts';
import { ClientInput } from './client-input.ts';

/** Client of a sale. */
interface ClientForSale {
  readonly id: number;
  /** Null if the sale creates or restores the client: it then earns no bonuses. */
  readonly bonus_tariff_id: number | null;
  /** Undefined if the client is new. */
  readonly sums: ClientBalances | undefined;
  readonly writes: readonly Write[];
}

/**
 * Finds the family's client by main phone, with the writes that create a missing one, or restore a deleted
 * one, for the transaction that needs the client. `Contention` if a concurrent call was faster.
 */
export async function clientByPhone(
  actor: Staff,
  named: Pick<ClientInput, 'full_name' | 'main_phone'>,
  at: Instant,
): Promise<ClientForSale> {
  const { tenant } = actor;
  const claim = { path: 'main_phone', scope: tenant, text: named.main_phone };
  const id = ownerIn(await getItem(uniqueConstraintKey(clients.type, claim)));
  if (id === undefined) {
    const newClientId = await nextId(clients.type, tenant);
    const made = newClient(newRecord(actor, newClientId, at), ClientInput.parse(named));
    return {
      id: newClientId,
      bonus_tariff_id: null,
      sums: undefined,
      writes: withoutErrors(insertion(clients, tenant, made)),
    };
  }
  const [client, item] = await Promise.all([
    findRecord({ type: clients, tenant, id }),
    getItem(clientBalancesKey(tenant, id)),
  ]);
  const sums = ClientBalances.parse(item);
  if (client?.main_phone !== named.main_phone) throw new Contention();
  if (!client.is_deleted) return { id, bonus_tariff_id: client.bonus_tariff_id, sums, writes: [] };
  return {
    id,
    bonus_tariff_id: null,
    sums,
    writes: replacement(clients, tenant, client, { ...client, is_deleted: false, updated_at: at }),
  };
}
