import { printTags, TagsInput } from '#lib/catalog/product/tags.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { PrintablePage } from '#lib/printing/page.ts';

export const POST = endpoint({
  right: 'company.product.product.tags',
  body: TagsInput,
  response: PrintablePage,
  note: 'Changes nothing. A bar code that a tag has no room for is printed as text.',
  run: ({ actor, body, locale }) => printTags(actor, body, locale),
});
