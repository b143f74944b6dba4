import { listing } from '#lib/http/listing.ts';
import * as languages from '#lib/platform/language.ts';

export const GET = listing({
  right: 'admin.system.language.index',
  query: languages.LanguageList,
  rows: languages.Language,
  note: '`filter[common]` matches part of the name or code.',
  run: ({ actor, query }) => languages.list(actor, query),
});
