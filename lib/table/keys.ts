import { createHash } from 'node:crypto';

/** The primary key of an item. */
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

/** Reference to a record or document, and to the items stored with it. */
export interface RecordRef {
  readonly type: string;
  readonly tenant: Tenant;
  readonly id: number;
}

/** A searched field of records, or the field `of` each element of a list. Part 5, 5B.1, 1. */
export interface SearchField {
  readonly field: string;
  readonly of?: string | undefined;
  /** How its words are read: a name, a code, a phone number, or an id that is compared as a whole. */
  readonly as: 'name' | 'code' | 'phone' | 'external';
}

/** The records of a type of a tenant. */
export interface Source {
  readonly type: string;
  readonly tenant: Tenant;
  /** Filterable fields, each with a list index. */
  readonly indexes?: readonly string[];
  /** Instants with filters by day, besides `created_at`; they never change. */
  readonly days?: readonly string[];
  /** Searched fields, if its records can be searched by words. */
  readonly search?: readonly SearchField[];
}

/** Returns the tenant of a company family, identified by its main company. */
export function familyTenant(mainCompanyId: number): Tenant {
  return `family-${mainCompanyId}`;
}

/** Returns the main company of a family. */
export function mainCompanyOf(family: Tenant): number {
  return Number(family.slice('family-'.length));
}

/** Returns the tenant of a partner. */
export function partnerTenant(partnerId: number): Tenant {
  return `partner-${partnerId}`;
}

/** Returns the tenant of a user's own records. */
export function userTenant(userId: number): Tenant {
  return `user-${userId}`;
}

/** Returns the partition with all headers of a type of a tenant, in the order of their ids. */
export function partition(type: string, tenant: Tenant): string {
  return `${type}#${tenant}`;
}

/** Returns the key of a record's header. */
export function recordKey(type: string, tenant: Tenant, id: number): Key {
  return { pk: partition(type, tenant), sk: padId(id) };
}

/** Returns the key of a record in the tenant of an item's partition; undefined if the id is not a number. */
export function sameTenantKey(type: string, pk: unknown, id: unknown): Key | undefined {
  if (typeof pk !== 'string' || typeof id !== 'number') return undefined;
  return { pk: `${type}${pk.slice(pk.indexOf('#'))}`, sk: padId(id) };
}

/** DynamoDB's maximum sort key, in bytes. */
const LONGEST_SORT_KEY = 1024;

/**
 * Returns the key of a unique-constraint item, which exists while a record holds the name in a scope.
 * Normalization may make a name eighteen times as long (U+FDFA): a name too long for a key is replaced by its
 * hash.
 */
export function uniqueNameKey(type: string, scope: string, field: string, folded: string): Key {
  const whole = `${field}#${folded}`;
  const isShort = Buffer.byteLength(whole) <= LONGEST_SORT_KEY;
  const sk = isShort ? whole : `${field}#sha256-${createHash('sha256').update(folded).digest('hex')}`;
  return { pk: `name#${type}#${scope}`, sk };
}

/** Returns the key of a tenant's id counters: an attribute for each type. */
export function sequencesKey(tenant: Tenant): Key {
  return { pk: `sequences#${tenant}`, sk: 'last' };
}

/** Returns the key of the item that counts the moves of a type's records to other parents. */
export function treeKey(type: string, tenant: Tenant): Key {
  return { pk: `tree#${tenant}`, sk: type };
}

/** Pads an id for a sort key, so that keys sort like ids. */
export function padId(id: number): string {
  return String(id).padStart(12, '0');
}

/** Joins a key into one string, for comparisons and maps. */
export function addressOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk}\n${sk}`;
}

/** Returns the key of an optional reference; undefined, and so not read, without an id. */
export function keyIfAny<I>(id: I | null | undefined, keyOf: (id: I) => Key): Key | undefined {
  return id === null || id === undefined ? undefined : keyOf(id);
}

/** Returns the key of an item. */
export function keyOfItem({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): Key {
  return { pk: String(pk), sk: String(sk) };
}
