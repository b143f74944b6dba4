import * as categories from '#lib/catalog/category.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = categories;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.category',
    about: "Categories of products, in a tree. A category with children or products can't be deleted.",
    query: categories.List,
    embeds: categories.Embeds,
    body: categories.CategoryInput,
    response: categories.Category,
  },
  { list, get, create, edit, remove, restore },
);
