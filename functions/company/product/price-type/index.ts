import * as priceTypes from '#lib/catalog/price-type.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = priceTypes;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.price-type',
    about:
      'Price types, such as wholesale: at most 10 that are not deleted. A product has a price of each in ' +
      '`prices`, a client a type by which sales to them are priced. A deleted type counts as none.',
    query: priceTypes.List,
    embeds: priceTypes.Embeds,
    body: priceTypes.PriceTypeInput,
    response: priceTypes.PriceType,
  },
  { list, get, create, edit, remove, restore },
);
