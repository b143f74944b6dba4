import * as z from 'zod';
import { invalid } from '#lib/values/api-error.ts';
import type { Locale } from '#lib/values/text.ts';
import { Html, html } from './html.ts';

/**
 * Content security policy of a page: it only shows itself. Also in the page, since one opened from a blob
 * has no headers. Part 5, 5B.8.
 */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** A page that a browser prints as it is. */
export class PrintedPage {
  readonly html: string;

  constructor(text: string) {
    this.html = text;
  }
}

/** Response schema of operations that return a page to print, or may return one. */
export const PrintablePage = z.instanceof(PrintedPage);

/** Parts of a page: no text of a caller is in its `style`. */
export interface PageParts {
  readonly locale: Locale;
  readonly title: string;
  readonly style: string;
  readonly body: Html;
}

const LANGUAGES = { ru: 'ru', uz: 'uz-Cyrl', oz: 'uz-Latn' } as const satisfies Record<Locale, string>;

/** Builds a page without scripts, links or anything from elsewhere. 422 if it is over 4 MB. Part 5, 5B.8. */
export function renderPage({ locale, title, style, body }: PageParts): PrintedPage {
  const { text } = html`<!doctype html>
<html lang="${LANGUAGES[locale]}">
<head>
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  if (Buffer.byteLength(text) > MAX_PAGE_BYTES) throw invalid({ format: 'print.too_large' });
  return new PrintedPage(text);
}
