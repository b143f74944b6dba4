import { createHash } from 'node:crypto';
import { type Staff, seesCosts } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { seesAllShifts } from '#lib/trade/shift/reach.ts';

/**
 * Returns a fingerprint of the caller's reach; a change means that records came into or left reach. Includes
 * the company's sale currency if clients are synced, as bonuses are shown in it, the right to see all shifts
 * if shifts are, and the lack of the right to see costs. One round trip for clients, else none.
 */
export async function nameReach(actor: Staff, types: readonly SyncType[]): Promise<string> {
  const { tenant, type, companyId, companies, warehouses, cashDesks } = actor;
  const currency = types.includes('client.client') ? (await ratesOf(tenant, companyId)).saleCurrency : null;
  const others = types.includes('trade.cashbox-shift') && seesAllShifts(actor) ? ['shifts'] : [];
  const hidden = seesCosts(actor) ? [] : ['costs'];
  const open = [companies, warehouses, cashDesks].map(inOrder);
  const reach = [tenant, type, companyId, ...open, currency, ...others, ...hidden];
  return createHash('sha256').update(JSON.stringify(reach)).digest('base64url').slice(0, 16);
}

function inOrder(ids: 'all' | readonly number[]) {
  return ids === 'all' ? ids : [...new Set(ids)].sort((a, b) => a - b);
}
