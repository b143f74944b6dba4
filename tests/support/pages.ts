import { expect, inject } from 'vitest';
import { PAGE_POLICY } from '#lib/printing/page.ts';
import type { Locale } from '#lib/values/text.ts';
import { plainText } from './markup.ts';
import { record } from './recording.ts';

/** Request of a page: with a body it is a POST. */
interface PageRequest {
  readonly token: string;
  readonly json?: object;
  readonly locale?: Locale;
}

/** Downloads a page to print, and checks that it is inert and refers to nothing outside. */
export async function downloadPage(
  path: string,
  { token, json, locale = 'ru' }: PageRequest,
): Promise<string> {
  const response = await fetch(`${inject('address')}${path}`, {
    method: json ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'accept-language': locale,
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  const page = await response.text();
  const request = `${json ? 'POST' : 'GET'} ${path}`;
  record({
    request,
    sent: json,
    status: response.status,
    got: undefined,
    type: 'text/html',
    stale: undefined,
  });
  expect(response.status, page).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  expect(
    page
      .replaceAll('&#39;', "'")
      .indexOf(`<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">`),
  ).toBe(page.indexOf('<meta'));
  expect(page).not.toMatch(/<script|<link|<img|<a |<iframe|<form|\son\w+=|url\(|@import/i);
  return page;
}

/** Returns the texts of a page, as a reader sees them, one a cell. */
export function textsOnPage(page: string): string[] {
  const body = page.slice(page.indexOf('<body>'));
  return body
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .split(/<[^>]+>/)
    .map((text) => plainText(text).trim())
    .filter((text) => text !== '');
}
