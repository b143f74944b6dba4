import { REFUSAL_CODES, say } from '#lib/values/say.ts';
import { LOCALES } from '#lib/values/text.ts';
import { escapeHtml } from './html.ts';

/** Makes the page that lists every code of a refusal, with what it says in each language. */
export function codesPage(frame: string): string {
  const rows = REFUSAL_CODES.map(
    (key) =>
      `<tr id="${key}"><td><a href="#${key}"><code>${key}</code></a></td>${LOCALES.map(
        (locale) => `<td>${escapeHtml(say(locale, { key }))}</td>`,
      ).join('')}</tr>`,
  );
  return frame.replace('{codes}', rows.join('\n'));
}
