import type { ChaosFamily } from '#bench/chaos/family.ts';

/** Family that does not exist. */
export const chaosScene: ChaosFamily = {
  familyId: 7,
  hasShifts: false,
  administrator: 'administrator',
  creditSystem: { 'External-System-Secret-Key': 'secret' },
  mobile: { deskId: 4, name: 'Mobile', branches: [8, 9] },
  token: '',
  stockId: 1,
  otherStockId: 2,
  desks: [1, 2, 3],
  hot: [1, 2, 3, 4],
  products: [1, 2, 3, 4, 5],
  bundles: [1, 2],
  marked: 6,
  clientId: 1,
  loyalId: 2,
  limited: { clientId: 3, max: 100 },
  steady: { productId: 7, stocks: [3, 4], pieces: 10 },
  priced: [],
  card: { category_id: 1, unit_id: 1, brand_id: 1 },
  supplierId: 1,
  reasons: { income: 1, outcome: 2 },
};
