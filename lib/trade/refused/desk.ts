import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { getDocument, getDocumentToChange } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { all, type Expression, oneOf } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { notFound } from '#lib/values/api-error.ts';
import { refusedSales, type VersionedRefusedSale } from './record.ts';

/*
 * Access to a refused sale follows its desk: a caller who reaches the desk, in its present company, reaches
 * the sale.
 */

/** Refused sale with the present company of its desk. */
export interface RefusedAtDesk {
  readonly refused: VersionedRefusedSale;
  readonly companyId: number;
}

/** Reads a refused sale within the caller's reach. 404 otherwise. Two round trips. */
export async function getRefused(
  actor: Staff,
  id: number,
  requestedEmbeds: readonly Embed[] = [],
): Promise<RefusedAtDesk> {
  return atDesk(actor, await getDocument(refusedSales, actor, id, requestedEmbeds));
}

/**
 * Reads a refused sale to be changed. 404 out of the caller's reach, 412 if its version differs from the
 * caller's.
 */
export async function getRefusedToChange(actor: Staff, id: number): Promise<RefusedAtDesk> {
  return atDesk(actor, await getDocumentToChange(refusedSales, actor, id));
}

async function atDesk(actor: Staff, refused: VersionedRefusedSale): Promise<RefusedAtDesk> {
  const desk = await getItem(recordKey(desks.desks.type, actor.tenant, refused.cashbox_id));
  if (!desk || !all(withinReachOf(actor, actor.cashDesks)).matches(desk)) throw notFound();
  return { refused, companyId: companyOf(desk) };
}

/** Reads the companies of desks, by desk. One round trip. */
export async function readCompanies(
  tenant: Tenant,
  deskIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const ids = [...new Set(deskIds)];
  const items = await getItems(ids.map((id) => recordKey(desks.desks.type, tenant, id)));
  return new Map(ids.map((id, index) => [id, companyOf(items[index])]));
}

/**
 * Replaces a list's conditions on companies by conditions on desks, within the caller's reach. No round trip
 * without such conditions for a caller who reaches all companies.
 */
export async function whereOfDesks(actor: Staff, where: readonly Expression[]): Promise<Expression[]> {
  const [companyConditions, others] = [true, false].map((is) =>
    where.filter(({ paths }) => is === isOfCompany(paths)),
  );
  if (actor.companies === 'all' && companyConditions?.length === 0) return [...where];
  const { rows } = await desks.listBare(actor, wholeList(companyConditions ?? []));
  return [
    ...(others ?? []),
    oneOf(
      'cashbox_id',
      rows.map(({ id }) => id),
    ),
  ];
}

function isOfCompany([path]: readonly string[]): boolean {
  return path === 'company_id';
}

function companyOf(desk: Item | undefined): number {
  return parseRecord(desks.Desk, desk).company_id;
}
