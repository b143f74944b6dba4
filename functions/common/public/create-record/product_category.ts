import * as categories from '#lib/catalog/category.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: categories.CategoryName,
  response: categories.NamedCategory,
  note:
    'Limited to three requests a minute over all types, successful or not. `lft` and `rgt` are always those ' +
    'of a leaf added last: no nested set is maintained.',
  run: ({ actor, body, at }) => categories.createNamedCategory(actor, body.name, at),
});
