import * as z from 'zod';
import { RIGHTS } from '#lib/auth/rights.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { translateRight } from '#lib/values/labels/right.ts';
import { Localized } from '#lib/values/localized.ts';

/** Rights that belong together, to make a role of. Part 5, 5B.2, 1. */
export const RoleSet = z.object({
  key: enumeration('role_set', ['seller', 'senior_seller', 'keeper', 'accountant', 'read_only']),
  label: Localized,
  new_routes: z.array(z.string()),
  can_apply_sale_discount: z.boolean(),
});

type SetKey = z.output<typeof RoleSet>['key'];

/** Nouns that everybody who works with goods looks up. */
const CATALOG = [
  'product.*.index',
  'product.*.show',
  'product.scan',
  'product.product.prices',
  'product.product.tags',
  'stock.stock.index',
  'stock.product.index',
];

const SELLER = [
  ...CATALOG,
  'trade.sale.*',
  'trade.hold.*',
  'trade.cashbox-shift.*',
  'trade.cashbox.cheque.*',
  'client.client.index',
  'client.client.show',
  'client.client.store',
  'client.debt.index',
  'client.debt.show',
  'client.debt-payment.index',
  'client.debt-payment.show',
  'client.debt-payment.store',
];

/** Rights of a senior seller alone. */
const OF_SENIORS = [
  'trade.sale.creator',
  'trade.sale.price-type',
  'trade.sale.tender',
  'trade.sale.refused.*',
  'trade.cashbox-shift.all',
];

const READING = [
  '*.index',
  '*.show',
  '*.statement',
  '*.movements',
  '*.operations',
  '*.transfers',
  'report.*',
];

/** Patterns of the rights of each set, without the area; `but` leaves some out again. */
const SETS: Readonly<
  Record<SetKey, { readonly rights: readonly string[]; readonly but?: readonly string[] }>
> = {
  seller: { rights: SELLER, but: OF_SENIORS },
  senior_seller: {
    rights: [
      ...SELLER,
      ...OF_SENIORS,
      'client.client.*',
      'client.debt-payment.*',
      'report.sales',
      'cost.show',
    ],
  },
  keeper: {
    rights: [
      ...CATALOG,
      'stock.product.*',
      'stock.supplier.index',
      'stock.supplier.show',
      'trade.purchase.*',
      'trade.transfer.*',
      'trade.writeoff.*',
      'trade.inventory.*',
      'report.stock',
      'cost.show',
    ],
  },
  accountant: {
    rights: [
      ...READING,
      'cashbox.operation.*',
      'cashbox.reason.*',
      'stock.supplier.*',
      'client.debt.*',
      'client.debt-payment.*',
    ],
    but: ['user.*', 'webhook.*'],
  },
  read_only: { rights: READING, but: ['user.*', 'webhook.*'] },
};

/** Lists the sets, with their rights as they are now. */
export function roleSets(): z.input<typeof RoleSet>[] {
  return RoleSet.shape.key.options.map((key) => ({
    key,
    label: translateRight('role_set', key),
    new_routes: rightsIn(SETS[key]),
    can_apply_sale_discount: key === 'senior_seller',
  }));
}

function rightsIn({ rights, but = [] }: (typeof SETS)[SetKey]): string[] {
  return RIGHTS.filter((right) => isAny(rights, right) && !isAny(but, right));
}

function isAny(patterns: readonly string[], right: string): boolean {
  return patterns.some((pattern) =>
    new RegExp(`^company\\.${pattern.replaceAll('.', '\\.').replaceAll('*', '.+')}$`).test(right),
  );
}
