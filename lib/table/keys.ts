import { createHash } from 'node:crypto';

/** The place of an item in the table. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/**
 * The owner of a partition's records: the platform, a company family, a partner or one user. It is part of
 * every key, so a record of another tenant is an address that cannot be written. Contract 1, "Tenancy".
 */
export type Tenant = `platform` | `family-${number}` | `partner-${number}` | `user-${number}`;

export const PLATFORM: Tenant = 'platform';

/** The place of a record or a document, and of what is stored beside it. */
export interface RecordRef {
  readonly type: string;
  readonly tenant: Tenant;
  readonly id: number;
}

/** The records of a type in a home. */
export interface Source {
  readonly type: string;
  readonly tenant: Tenant;
  /** Fields that lists filter by and that have an index each. */
  readonly indexes?: readonly string[];
  /** Instants by whose days lists filter, beside `created_at`; they never change. */
  readonly days?: readonly string[];
}

/** Gives the home of a company family, named by its main company's id. */
export function familyTenant(mainCompanyId: number): Tenant {
  return `family-${mainCompanyId}`;
}

/** Gives the home of what a partner sees. */
export function partnerTenant(partnerId: number): Tenant {
  return `partner-${partnerId}`;
}

/** Gives the home of what is a user's own. */
export function userTenant(userId: number): Tenant {
  return `user-${userId}`;
}

/** Names the partition that holds all headers of a type in a home, in the order of their ids. */
export function partition(type: string, tenant: Tenant): string {
  return `${type}#${tenant}`;
}

/** Gives the key of a record's header. */
export function recordKey(type: string, tenant: Tenant, id: number): Key {
  return { pk: partition(type, tenant), sk: padId(id) };
}

/** Gives the key of a record in the home that an item belongs to; undefined if the id is none. */
export function sameTenantKey(type: string, pk: unknown, id: unknown): Key | undefined {
  if (typeof pk !== 'string' || typeof id !== 'number') return undefined;
  return { pk: `${type}${pk.slice(pk.indexOf('#'))}`, sk: padId(id) };
}

/** The longest sort key, in bytes. */
const LONGEST_SORT_KEY = 1024;

/**
 * Gives the key of the item whose presence means that a name is taken within a scope. Folding may make a name
 * eighteen times as long (U+FDFA): one that no key can hold is named by its hash.
 */
export function uniqueNameKey(type: string, scope: string, field: string, folded: string): Key {
  const whole = `${field}#${folded}`;
  const isShort = Buffer.byteLength(whole) <= LONGEST_SORT_KEY;
  const sk = isShort ? whole : `${field}#sha256-${createHash('sha256').update(folded).digest('hex')}`;
  return { pk: `name#${type}#${scope}`, sk };
}

/** Gives the key of a home's counters of ids: an attribute for each type that it has. */
export function sequencesKey(tenant: Tenant): Key {
  return { pk: `sequences#${tenant}`, sk: 'last' };
}

/** Gives the key of the item that tells how often records of a type have moved under others. */
export function treeKey(type: string, tenant: Tenant): Key {
  return { pk: `tree#${tenant}`, sk: type };
}

/** Pads an id for a sort key, so that keys are in the order of ids. */
export function padId(id: number): string {
  return String(id).padStart(12, '0');
}

/** Joins a key into one text, to compare items by. */
export function addressOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk}\n${sk}`;
}

/** Gives the key for an id, if there is an id: nothing is read if nothing is pointed at. */
export function keyIfAny<I>(id: I | null | undefined, keyOf: (id: I) => Key): Key | undefined {
  return id === null || id === undefined ? undefined : keyOf(id);
}

/** Reads the key off an item. */
export function keyOfItem({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): Key {
  return { pk: String(pk), sk: String(sk) };
}
