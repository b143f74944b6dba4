import type { MeasuredShop } from './support/measured-shop.ts';
import { type Scene, scenesOf } from './support/scene.ts';

const BRANDS = '/company/product/brand';
const OFTEN = { warm: 100, times: 300 };

/** Returns scenes that create brands, show one and list them, a few hundred by then. */
export function brandScenes({ shop }: MeasuredShop): Scene[] {
  let made = 0;
  const newBrand = () => ({ name: `Brand ${++made}`, image_old_keys: '[]' });
  return scenesOf(OFTEN, {
    'make a brand': () => ({ request: `POST ${BRANDS}`, json: newBrand() }),
    'get a brand': () => ({ request: `GET ${BRANDS}/${shop.card.brand_id}` }),
    'list brands': () => ({ request: `GET ${BRANDS}` }),
  });
}
