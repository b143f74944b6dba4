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
 * A refused sale follows its desk: who reaches that now, in the company that it is of now, reaches the sale.
 */

/** A refused sale, with the company that its desk is of now. */
export interface RefusedAtDesk {
  readonly refused: VersionedRefusedSale;
  readonly companyId: number;
}

/** Reads one that the caller reaches. 404 otherwise. Two round trips. */
export async function getRefused(
  actor: Staff,
  id: number,
  wanted: readonly Embed[] = [],
): Promise<RefusedAtDesk> {
  return atDesk(actor, await getDocument(refusedSales, actor, id, wanted));
}

/**
 * Reads one that a call is to change. 404 out of the caller's reach, 412 if they have seen another version.
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
 * Puts what a list asks of companies into what it asks of desks, within the caller's reach. No round trip for
 * who reaches all companies and asks for none.
 */
export async function whereOfDesks(actor: Staff, where: readonly Expression[]): Promise<Expression[]> {
  const [asked, others] = [true, false].map((is) => where.filter(({ paths }) => is === isOfCompany(paths)));
  if (actor.companies === 'all' && asked?.length === 0) return [...where];
  const { rows } = await desks.listBare(actor, wholeList(asked ?? []));
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
