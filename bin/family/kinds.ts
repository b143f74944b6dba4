import { COMPANY_RATES, FEED_TYPES, STOCK_LEVEL, TYPES_WITH_COUNTERS } from '#lib/table/feed/feed-types.ts';

/*
 * Treatment of each kind of a family's items, by the first part of their keys, as data: an export has all
 * that is not derived, and a restore leaves the platform's items unchanged. A kind in none of these lists
 * fails `tests/bin/family-kinds.test.ts`.
 */

/** Items that sync does not show, exported beside its records. */
export interface FurtherKind {
  readonly kind: string;
  /** Kind of the parent record; absent for a list. */
  readonly under?: string;
  /** Number of partitions per parent record; absent for a single one without a number. */
  readonly parts?: number;
  /** Set if its items are packed lines. */
  readonly isPacked?: true;
  /** Fields private to the service: secrets, and identifiers of other systems. */
  readonly hidden?: readonly string[];
}

const ACCOUNT_SECRETS = ['password_hash', 'session', 'hash'];
const COMPANY_CLAIMS = ['primary_uuid', 'sync_uuid', 'partner_uuid'];
const SEALED = ['sealed', 'sealed_before', 'sealed_before_until'];

/** Exported kinds, in order, after the types of sync. */
export const FURTHER: readonly FurtherKind[] = [
  { kind: 'company', hidden: COMPANY_CLAIMS },
  { kind: 'user', hidden: ACCOUNT_SECRETS },
  { kind: 'role' },
  { kind: 'given-role' },
  { kind: 'webhook', hidden: SEALED },
  { kind: 'cheque', under: 'company' },
  { kind: 'product-price', under: 'product' },
  { kind: 'debt-due-date', under: 'debt' },
  { kind: 'repricing-row', under: 'repricing', isPacked: true },
  { kind: 'currency-rate-history' },
  { kind: 'posting-cancellation' },
  { kind: 'refused-sale' },
  { kind: 'refused-sale', under: 'refused-sale' },
  { kind: 'inventory-plan', under: 'inventory' },
  { kind: 'inventory-line', under: 'inventory', parts: 8 },
  { kind: 'inventory-late-sale', under: 'inventory' },
  { kind: 'activity' },
  { kind: 'tariff-entry' },
  { kind: 'tariff-payment' },
];

/** Returns the file name of a kind: parts under records of the same kind have a file of their own. */
export function fileOf({ kind, under }: FurtherKind): string {
  return under === kind ? `${kind}.parts` : kind;
}

/** Kinds that sync shows: headers with their parts, counters, goods. */
export const COPIED_KINDS: readonly string[] = [
  ...Object.keys(FEED_TYPES),
  ...TYPES_WITH_COUNTERS.map((word) => `${word}-balance`),
  STOCK_LEVEL.word,
  COMPANY_RATES.word,
  'repricing-line',
  'repricing-skipped',
];

/** Kinds that only index or aggregate exported records, grouped by the reason for leaving them out. */
export const DERIVED = {
  'names, ids and references': [
    ...['name', 'sequences', 'tree', 'references', 'bundled-product', 'specification-options', 'sale-key'],
  ],
  'what documents come to': ['movements', 'open-debts', 'sale-mark', 'stock-inflow', 'inventory-stats'],
  'indexes and sums of lists and reports': ['changes', 'index', 'search', 'cubes', 'cube-groups', 'cube'],
  'which records have changed': ['feed'],
  'how the service stands just now': [
    ...[
      'pos-session',
      'refused-sales-waiting',
      'refused-sales-told',
      'program-keys',
      'webhook-count',
      'price-type-count',
    ],
    ...[
      'webhook-lane',
      'webhook-slots',
      'throttle',
      'closed-books',
      'below-minimum',
      'minimums-looked-at',
      'notified',
    ],
  ],
  'what was told to receivers': [
    ...['webhook-delivery', 'webhook-ended', 'webhook-attempts', 'webhook-claim', 'webhook-pending'],
  ],
} as const;

/** Kinds under the tenants of its users: notifications, and saved responses for retries. */
export const OF_PEOPLE: readonly string[] = ['notification', 'idempotency'];

/**
 * Kinds left unchanged by a family's restore: users and companies, whose records the platform has, desk
 * sessions, webhooks, charges, the audit log, and ids, which are never reused.
 */
export const STANDING_KINDS: readonly string[] = [
  ...['company', 'user', 'role', 'given-role', 'program-keys', 'pos-session', 'closed-books'],
  ...['webhook', ...DERIVED['what was told to receivers'], 'webhook-count', 'webhook-lane', 'webhook-slots'],
  ...['tariff-entry', 'tariff-payment', 'activity', 'feed', 'sequences', 'throttle'],
];

/** Kinds rebuilt from the records after a restore. */
export const REBUILT_KINDS: readonly string[] = DERIVED['indexes and sums of lists and reports'];
