import { COMPANY_RATES, FEED_TYPES, STOCK_LEVEL, TYPES_WITH_COUNTERS } from '#lib/table/feed/feed-types.ts';

/*
 * What becomes of each kind of a family's items, by the first part of their keys, as data: an export has all
 * that is not derived, and who brings back what was leaves what is the platform's as it is. A kind that is in
 * none of these lists fails `tests/bin/family-kinds.test.ts`.
 */

/** Items that no copy shows, and that an export has beside copies' records. */
export interface FurtherKind {
  readonly kind: string;
  /** The kind of record under which they are; without one they are a list. */
  readonly under?: string;
  /** Over how many partitions they are spread under it; one without a number if left out. */
  readonly parts?: number;
  /** Fields that are nobody's but the service's: secrets, and what others are known by. */
  readonly hidden?: readonly string[];
}

const ACCOUNT_SECRETS = ['password_hash', 'session', 'hash'];
const COMPANY_CLAIMS = ['primary_uuid', 'sync_uuid', 'partner_uuid'];
const SEALED = ['sealed', 'sealed_before', 'sealed_before_until'];

/** In this order an export has them, behind the types of copies. */
export const FURTHER: readonly FurtherKind[] = [
  { kind: 'company', hidden: COMPANY_CLAIMS },
  { kind: 'user', hidden: ACCOUNT_SECRETS },
  { kind: 'role' },
  { kind: 'given-role' },
  { kind: 'webhook', hidden: SEALED },
  { kind: 'cheque', under: 'company' },
  { kind: 'product-price', under: 'product' },
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

/** Names the file of a kind: what is under records of the same kind has another. */
export function fileOf({ kind, under }: FurtherKind): string {
  return under === kind ? `${kind}.parts` : kind;
}

/** Kinds that copies show: headers, with what is under them; counters; goods. */
export const COPIED_KINDS: readonly string[] = [
  ...Object.keys(FEED_TYPES),
  ...TYPES_WITH_COUNTERS.map((word) => `${word}-balance`),
  STOCK_LEVEL.word,
  COMPANY_RATES.word,
  'repricing-line',
  'repricing-skipped',
];

/** Kinds that only find or add up what an export has, by why it leaves them out. */
export const DERIVED = {
  'names, ids and references': [
    ...['name', 'sequences', 'tree', 'references', 'bundled-product', 'specification-options', 'sale-key'],
  ],
  'what documents come to': ['movements', 'open-debts', 'sale-mark', 'stock-inflow', 'inventory-stats'],
  'indexes and sums of lists and reports': ['changes', 'index', 'cubes', 'cube-groups', 'cube'],
  'which records have changed': ['feed'],
  'how the service stands just now': [
    ...['pos-session', 'refused-sales-waiting', 'refused-sales-told', 'program-keys', 'webhook-count'],
    ...['webhook-lane', 'webhook-slots', 'throttle'],
  ],
  'what was told to receivers': [
    ...['webhook-delivery', 'webhook-ended', 'webhook-attempts', 'webhook-claim', 'webhook-pending'],
  ],
} as const;

/** Kinds in the homes of its people: what the service told them, and answers for retries. */
export const OF_PEOPLE: readonly string[] = ['notification', 'idempotency'];

/**
 * Kinds that stay as they are when a family is brought back to what it was: its people and companies, of
 * which the platform has the records, who sells at a desk, webhooks, what was charged, who did what, and ids,
 * which never come twice.
 */
export const STANDING_KINDS: readonly string[] = [
  ...['company', 'user', 'role', 'given-role', 'program-keys', 'pos-session'],
  ...['webhook', ...DERIVED['what was told to receivers'], 'webhook-count', 'webhook-lane', 'webhook-slots'],
  ...['tariff-entry', 'tariff-payment', 'activity', 'feed', 'sequences', 'throttle'],
];

/** Kinds that are made anew of the records once these are back. */
export const REBUILT_KINDS: readonly string[] = DERIVED['indexes and sums of lists and reports'];
