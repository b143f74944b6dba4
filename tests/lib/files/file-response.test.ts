import { expect, test } from 'vitest';
import * as z from 'zod';
import { fileResponse } from '#lib/files/links.ts';

const MEGABYTE = 1024 * 1024;

const Link = z.object({ location: z.url() });

test('a file of 4 MB is given as it is', async () => {
  const file = { filename: 'a.xlsx', type: 'text/plain', content: new Uint8Array(4 * MEGABYTE) };
  expect(await fileResponse(file)).toBe(file);
});

test('a larger one is given by a link that is good for five minutes, under its own name, to one caller', async () => {
  const content = new Uint8Array(4 * MEGABYTE + 1).fill(7);
  const { location } = Link.parse(
    await fileResponse({ filename: 'Продажи.xlsx', type: 'text/plain', content }),
  );
  const url = new URL(location);
  expect(url.pathname).toMatch(/\/exports\/[\w-]{36}$/);
  expect(url.searchParams.get('X-Amz-Expires')).toBe('300');
  const response = await fetch(location);
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(url.searchParams.get('response-content-disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('Продажи.xlsx')}`,
  );
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect((await response.bytes()).length).toBe(content.length);
});
