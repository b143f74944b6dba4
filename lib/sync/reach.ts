import { createHash } from 'node:crypto';
import type { Staff } from '#lib/access/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import type { CopiedType } from '#lib/records/copied-type.ts';

/**
 * Names what a caller reaches: another name means that records have come into reach, or left it. The currency
 * that their company sells in belongs to it if clients are copied, as their bonuses are shown in it. One
 * round trip then, else none.
 */
export async function nameReach(actor: Staff, types: readonly CopiedType[]): Promise<string> {
  const { home, type, companyId, companies, warehouses, cashDesks } = actor;
  const currency = types.includes('client.client') ? (await ratesOf(home, companyId)).saleCurrency : null;
  const reach = [home, type, companyId, ...[companies, warehouses, cashDesks].map(inOrder), currency];
  return createHash('sha256').update(JSON.stringify(reach)).digest('base64url').slice(0, 16);
}

function inOrder(ids: 'all' | readonly number[]) {
  return ids === 'all' ? ids : [...new Set(ids)].sort((a, b) => a - b);
}
