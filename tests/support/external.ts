import * as z from 'zod';
import { partners } from '#lib/people/company/partner.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { newSuperAdministrator } from './family.ts';
import { call } from './http.ts';

export const KEYS = '/admin/system/external-key';

const Made = z.object({ id: z.int(), key: z.string() });

const Uuids = z.object({ primary_uuid: z.string(), sync_uuid: z.string(), partner_uuid: z.string() });

let administrator: Promise<string> | undefined;

/** Creates a super-administrator for all of a file's tests. */
export function operator(): Promise<string> {
  administrator ??= newSuperAdministrator();
  return administrator;
}

/** Creates a key over HTTP. */
export async function newKey(given: object) {
  const { body } = await call(`POST ${KEYS}`, { token: await operator(), json: { name: 'Bank', ...given } });
  return Made.parse(body);
}

/** Reads the uuids of a company. */
export async function uuidsOf(companyId: number) {
  const { body } = await call(`GET /admin/company/company/${companyId}`, { token: await operator() });
  return Uuids.parse(body);
}

/** Creates a partner, and returns its id. */
export async function newPartner(at = Date.now()): Promise<number> {
  const id = await nextId(partners.type, PLATFORM);
  const times = { created_at: at, updated_at: at };
  await insertRecord(partners, PLATFORM, { id, name: 'Hamkor', phone: null, is_deleted: false, ...times });
  return id;
}
