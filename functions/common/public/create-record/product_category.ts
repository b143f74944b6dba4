import * as categories from '#lib/catalog/category.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: categories.CategoryName,
  answers: categories.NamedCategory,
  run: ({ actor, body, at }) => categories.createNamed(actor, body.name, at),
});
