import type { MeasuredShop } from './kit/measured-shop.ts';
import type { Scene } from './kit/scene.ts';

const BRANDS = '/company/product/brand';

/** Makes brands, shows one and lists them: there are a few hundred then. */
export function brandScenes({ shop }: MeasuredShop): Scene[] {
  const often = { warm: 100, times: 300 };
  let made = 0;
  return [
    {
      what: 'make a brand',
      ...often,
      prepare: () => ({
        request: `POST ${BRANDS}`,
        json: { name: `Brand ${++made}`, image_old_keys: '[]' },
      }),
    },
    { what: 'get a brand', ...often, prepare: () => ({ request: `GET ${BRANDS}/${shop.card.brand_id}` }) },
    { what: 'list brands', ...often, prepare: () => ({ request: `GET ${BRANDS}` }) },
  ];
}
