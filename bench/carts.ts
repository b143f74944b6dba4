import type { MeasuredShop } from './support/measured-shop.ts';
import type { Scene } from './support/scene.ts';
import { saleBodyOf } from './support/shop.ts';

/** Returns scenes that sell carts of this many lines at one desk. */
export function cartScenes({ shop }: MeasuredShop, lines: number): Scene[] {
  const json = saleBodyOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, lines));
  const prepare = () => ({ request: 'POST /company/trade/sale', json });
  return [{ what: `sale of ${lines} lines`, warm: 20, times: 60, prepare }];
}
