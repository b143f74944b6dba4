/** Where an item stands in the table. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/**
 * Whose records a partition holds: the platform's, a company family's, a partner's or one user's. It is part of every
 * key, so a record of another tenant is an address that cannot be written. Decisions, 1, "Tenancy".
 */
export type Home = `platform` | `family-${number}` | `partner-${number}` | `user-${number}`;

export const PLATFORM: Home = 'platform';

/** Where a record or a document is. What stands beside it is found by the same. */
export interface Place {
  readonly type: string;
  readonly home: Home;
  readonly id: number;
}

/** The home of a company family, named by its main company's id. */
export function familyHome(mainCompanyId: number): Home {
  return `family-${mainCompanyId}`;
}

/** The home of what a partner sees. */
export function partnerHome(partnerId: number): Home {
  return `partner-${partnerId}`;
}

/** The home of what is a user's own. */
export function userHome(userId: number): Home {
  return `user-${userId}`;
}

/** The partition that holds all headers of a type in a home, in the order of their ids. */
export function partition(type: string, home: Home): string {
  return `${type}#${home}`;
}

/** A record's header. */
export function recordKey(type: string, home: Home, id: number): Key {
  return { pk: partition(type, home), sk: paddedId(id) };
}

/** A record in the home that an item stands in; undefined for what is no id. */
export function neighbourKey(type: string, pk: unknown, id: unknown): Key | undefined {
  if (typeof pk !== 'string' || typeof id !== 'number') return undefined;
  return { pk: `${type}${pk.slice(pk.indexOf('#'))}`, sk: paddedId(id) };
}

/** The item whose presence means that a name is taken within a scope. */
export function nameKey(type: string, scope: string, field: string, folded: string): Key {
  return { pk: `name#${type}#${scope}`, sk: `${field}#${folded}` };
}

/** The counter that a home's ids of a type come from. */
export function sequenceKey(type: string, home: Home): Key {
  return { pk: `sequence#${home}`, sk: type };
}

/** The item that tells how often records of a type have moved under others. */
export function treeKey(type: string, home: Home): Key {
  return { pk: `tree#${home}`, sk: type };
}

/** An id as a sort key, so that keys are in the order of ids. */
export function paddedId(id: number): string {
  return String(id).padStart(12, '0');
}

/** A key as one text, to tell items by. */
export function addressOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk}\n${sk}`;
}

/** The key of what an id names, if it names any: where nothing is pointed at, nothing is read. */
export function keyIfAny<I>(id: I | null | undefined, keyOf: (id: I) => Key): Key | undefined {
  return id === null || id === undefined ? undefined : keyOf(id);
}

/** Where an item that was read stands. */
export function keyOfItem({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): Key {
  return { pk: String(pk), sk: String(sk) };
}
