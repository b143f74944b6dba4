const SIX = 'index show store update destroy restore';

/**
 * Last words of the operations' rights, by their prefix. Listed here because the function that creates a role
 * does not import other operations; a test compares them.
 */
const WORDS: Readonly<Record<string, string>> = {
  'admin.billing.tariff': 'deposit show update',
  'admin.company.company': SIX,
  'admin.company.user': SIX,
  'admin.partner.partner': SIX,
  'admin.partner.user': SIX,
  'admin.product.service-unit': SIX,
  'admin.product.unit': SIX,
  'admin.region.district': SIX,
  'admin.region.mfy': SIX,
  'admin.region.region': SIX,
  'admin.system.external-key': 'destroy index store',
  'admin.system.language': 'index show update',
  'admin.system.version': SIX,
  'admin.user.notification': 'store',
  'admin.user.role': SIX,
  'admin.user.user': `${SIX} auth-as`,
  'company.cashbox.cashbox': `${SIX} transfers`,
  'company.cashbox.currency-rate': 'index settings show show-main sync-with-main update',
  'company.cashbox.operation':
    'cancel cashboxes collection conversion index reasons return stats store transfer',
  'company.cashbox.operation.collection': 'confirm index',
  'company.cashbox.reason': SIX,
  'company.client.bonus-tariff': SIX,
  'company.client.client': `${SIX} exceed-limit`,
  'company.client.debt-payment': 'index refund show store',
  'company.client.debt': 'index show',
  'company.company': 'settings',
  'company.product.brand': `${SIX} download-example import`,
  'company.product.bundle': SIX,
  'company.product.category': SIX,
  'company.product.option': SIX,
  'company.product.product': `${SIX} download-example import prices`,
  'company.product.service-unit': SIX,
  'company.product.service': SIX,
  'company.product.specification': SIX,
  'company.product.unit': SIX,
  'company.report': 'cash debts products sales stock',
  'company.stock.product': 'index movements',
  'company.stock.stock': SIX,
  'company.stock.supplier': `${SIX} operations payment`,
  'company.tariff': 'confirm pay-card pay-qr payment-status show',
  'company.trade.cashbox-shift': 'all close current expense index show store',
  'company.trade.cashbox-shift.expense-reasons': 'index store',
  'company.trade.cashbox.cheque': 'destroy show update',
  'company.trade.hold': 'add-products cancel index show store update-products',
  'company.trade.inventory':
    'add-products cancel categories comparison-sheet complete index products remove-products show stats store',
  'company.trade.purchase': 'cancel complete index products show store update',
  'company.trade.recalculation-batch': 'index products show store',
  'company.trade.sale':
    'check-detail creator credit-detail exchange fiscal index invoice late print return show store',
  'company.trade.sale.refused': 'accept-prices dismiss index retry show',
  'company.trade.sale.return': 'index',
  'company.trade.transfer': 'cancel complete index show stocks store',
  'company.trade.writeoff': 'cancel complete index products show store update',
  'company.user.key': 'destroy index show store update',
  'company.user': 'activity',
  'company.user.role': SIX,
  'company.user.user': SIX,
  'company.webhook': 'deliveries destroy index redeliver rotate-secret show store test update',
  'partner.company': 'index show',
};

/** All rights that a role may grant. */
export const RIGHTS: readonly string[] = Object.entries(WORDS).flatMap(([noun, words]) =>
  words.split(' ').map((word) => `${noun}.${word}`),
);

/** Returns true if a right exists, or any right matching its wildcard `.*`. Contract 9.91. */
export function isRight(route: string): boolean {
  if (!route.endsWith('.*')) return RIGHTS.includes(route);
  return RIGHTS.some((right) => right.startsWith(route.slice(0, -1)));
}
