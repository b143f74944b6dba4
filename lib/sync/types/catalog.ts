import * as z from 'zod';
import { Brand, brands } from '#lib/catalog/brand.ts';
import { Bundle, bundles } from '#lib/catalog/bundle.ts';
import { Product, products } from '#lib/catalog/card.ts';
import { Category, categories } from '#lib/catalog/category.ts';
import { Option, options } from '#lib/catalog/option.ts';
import { PriceType, priceTypes } from '#lib/catalog/price-type.ts';
import { currencyEmbed, Service, services } from '#lib/catalog/service/service.ts';
import { ServiceUnit, serviceUnits } from '#lib/catalog/service/unit.ts';
import { Specification, specifications } from '#lib/catalog/specification.ts';
import { Unit, units } from '#lib/catalog/unit/unit.ts';
import { embed } from '#lib/records/query/embeds.ts';
import {
  defineSync,
  EMBEDDED,
  type SyncDefinitions,
  type SyncOverrides,
} from '#lib/sync/definition/definition.ts';

const Parts = z.array(Bundle.shape.products.element.omit({ product: true }));

const Card = Product.omit({
  ...EMBEDDED,
  full_text: true,
  category: true,
  brand: true,
  unit: true,
  parent: true,
});

/** Shows services with their currency, which those that predate it don't store. */
const showServices: NonNullable<SyncOverrides['show']> = async (heads, { actor }) => {
  const whole = await embed(heads, [currencyEmbed(actor.tenant)]);
  return heads.map(({ version }, index) => ({ record: { ...whole[index] }, revision: version }));
};

/** Sync of a family's catalog. */
export const catalogSync = {
  'product.brand': () => defineSync(brands, Brand.omit(EMBEDDED)),
  'product.bundle': () => defineSync(bundles, Bundle.omit(EMBEDDED).extend({ products: Parts })),
  'product.category': () => defineSync(categories, Category.omit(EMBEDDED)),
  'product.option': () => defineSync(options, Option.omit(EMBEDDED)),
  'product.price-type': () => defineSync(priceTypes, PriceType.omit(EMBEDDED)),
  'product.product': () => defineSync(products, Card),
  'product.service': () =>
    defineSync(services, Service.omit({ ...EMBEDDED, service_unit: true }), { show: showServices }),
  'product.service-unit': () => defineSync(serviceUnits, ServiceUnit.omit(EMBEDDED)),
  'product.specification': () =>
    defineSync(specifications, Specification.omit({ company: true, options: true })),
  'product.unit': () => defineSync(units, Unit.omit(EMBEDDED)),
} satisfies SyncDefinitions;
