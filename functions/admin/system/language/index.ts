import { listing } from '#lib/http/listing.ts';
import * as languages from '#lib/system/language.ts';

export const GET = listing({
  right: 'admin.system.language.index',
  query: languages.LanguageList,
  rows: languages.Language,
  run: ({ query }) => languages.list(query),
});
