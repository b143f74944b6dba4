import { brandScenes } from './brands.ts';
import { measureBroadcast } from './broadcast.ts';
import { cartScenes } from './carts.ts';
import { billingScenes } from './cash/billing.ts';
import { debtScenes } from './cash/debts.ts';
import { cashScenes } from './cash/operations.ts';
import { shiftScenes } from './cash/shifts.ts';
import { measureCold, measureFirstMinute } from './cold.ts';
import { measureCost } from './cost/cost.ts';
import { measureExports } from './export.ts';
import { measureLargeDocuments } from './large-document.ts';
import { measureLists } from './lists.ts';
import { offlineScenes } from './offline.ts';
import { monthScenes } from './reports/month.ts';
import { yearScenes } from './reports/year.ts';
import { saleListScenes } from './sale-list.ts';
import { measureSdk } from './sdk.ts';
import { measureSearchBeside } from './search/beside.ts';
import { measureSearch } from './search/search.ts';
import type { Scale } from './support/scale.ts';
import type { Scenes } from './support/scene.ts';
import { measureBeside } from './sync/beside.ts';
import { measureFirst } from './sync/first.ts';
import { measureSale } from './sync/sale.ts';
import { documentScenes } from './trade/goods.ts';
import { holdScenes } from './trade/holds.ts';
import { repricingScenes } from './trade/repricing.ts';
import { returnScenes } from './trade/returns.ts';
import { measureRush } from './trade/rush.ts';
import { stocktakeScenes } from './trade/stocktakes.ts';

/** Returns the rows of a table. Throws on any unexpected response. */
type Part = (scale: Scale) => Promise<readonly object[]>;

const oneDesk = (products: number) => ({ products, desks: 1 });
const aProduct = () => oneDesk(1);
const threeProducts = () => oneDesk(3);
const tenDesks = () => ({ products: 1, desks: 10 });
const tenPieces = () => ({ ...oneDesk(1), pieces: 10 });

/** Parts with sequential calls. The last two affect other calls of a family. */
export const SCENES: ReadonlyMap<string, Scenes> = new Map<string, Scenes>([
  ['warm', { sizes: [0], goods: aProduct, of: brandScenes }],
  ['sale/carts', { sizes: [1, 3, 10, 90, 100], goods: oneDesk, of: cartScenes }],
  ['sale/late', { sizes: [1, 50], goods: threeProducts, of: offlineScenes }],
  ['sale-list', { sizes: [1000, 100_000], goods: aProduct, of: saleListScenes }],
  ['reports/month', { sizes: [3, 100], goods: aProduct, of: monthScenes }],
  ['reports/year', { sizes: [25, 10_000], goods: aProduct, of: yearScenes }],
  ['trade/holds', { sizes: [1, 10, 100], goods: oneDesk, of: holdScenes }],
  ['trade/goods', { sizes: [100, 1000], goods: oneDesk, of: documentScenes }],
  ['trade/counts', { sizes: [100, 1000, 10_000], goods: tenPieces, of: stocktakeScenes }],
  ['trade/returns', { sizes: [3], goods: oneDesk, of: returnScenes }],
  ['trade/repricing', { sizes: [10, 1000, 10_000], goods: aProduct, of: repricingScenes }],
  ['cash/operations', { sizes: [1000, 100_000], goods: tenDesks, of: cashScenes }],
  ['cash/debts', { sizes: [1, 10, 100], goods: aProduct, of: debtScenes }],
  ['cash/billing', { sizes: [0], goods: aProduct, of: billingScenes }],
  ['cash/shifts', { sizes: [10, 1000, 10_000], goods: aProduct, of: shiftScenes }],
]);

/** Parts beyond sequential calls. */
export const PROGRAMS: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['cold/all', measureCold],
  ['cold/first-minute', measureFirstMinute],
  ['sdk', measureSdk],
  ['sale/rush', measureRush],
  ['sync/first', measureFirst],
  ['sync/beside', measureBeside],
  ['sync/sale', measureSale],
  ['large-document', measureLargeDocuments],
  ['lists', measureLists],
  ['search/pages', measureSearch],
  ['search/beside', measureSearchBeside],
  ['export', measureExports],
  ['broadcast', measureBroadcast],
  ['cost', measureCost],
]);

/** Parts that take minutes, and are measured only by name, or at their smallest. */
export const LONG: readonly string[] = [
  'broadcast',
  'cold/all',
  'cost',
  'export',
  'lists',
  'reports/year',
  'search/beside',
  'search/pages',
  'sync/beside',
  'sync/first',
  'trade/counts',
  'trade/repricing',
];
