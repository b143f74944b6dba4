import { expect, test } from 'vitest';
import * as z from 'zod';
import { errorCodes, translate } from '#lib/values/message.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';

const ENUMS = 'GET /common/public/enums';

const Enums = z.object({
  data: z.record(z.string(), z.array(z.object({ value: z.string(), label: z.string().min(1) })).min(1)),
});

async function readEnums(token: string, language = 'ru') {
  const reply = await call(ENUMS, { token, headers: { 'accept-language': language } });
  expect(reply.status).toBe(200);
  return { ...reply, data: Enums.parse(reply.body).data };
}

const labelsOf = (values: { value: string; label: string }[] = []) =>
  Object.fromEntries(values.map(({ value, label }) => [value, label]));

test('any signed-in caller gets the words of all enumerations in the language of the call (Part 5, 5B.3)', async () => {
  const [family, administrator] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const { data } = await readEnums(family.director);
  expect(labelsOf(data['payment_type'])).toMatchObject({ cash: 'Наличные', bonus: 'Бонусы' });
  expect(labelsOf(data['event'])).toMatchObject({ 'trade.sale.*': 'Продажи: все события' });
  expect(data['error_code']).toHaveLength(errorCodes().length);
  const inLatin = await readEnums(administrator, 'oz');
  expect(labelsOf(inLatin.data['payment_type'])).toMatchObject({ cash: 'Naqd', bonus: 'Bonuslar' });
  expect(labelsOf(inLatin.data['error_code'])).toMatchObject({
    'key.too_many': translate('oz', { key: 'key.too_many' }),
  });
  expect(await call(ENUMS)).toMatchObject({ status: 401 });
});

test('keys of programs get them, and no other operation under /common/ (Part 5, 5B.3)', async () => {
  const { key: token } = await newProgramKey(await newFamily(), []);
  expect((await readEnums(token)).data['currency']).toHaveLength(4);
  expect(await call('GET /common/user/profile', { token })).toMatchObject({ status: 403 });
});

test('they have an ETag: with it in If-None-Match the answer is 304, of another language 200 (Part 5, 5B.3)', async () => {
  const { director: token } = await newFamily();
  const { headers } = await readEnums(token);
  const etag = headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  expect(headers.get('vary')?.toLowerCase()).toContain('accept-language');
  const again = (kept: string, language: string) =>
    call(ENUMS, { token, headers: { 'if-none-match': kept, 'accept-language': language } });
  for (const kept of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const { status, body, headers: told } = await again(kept, 'ru');
    expect({ status, body, etag: told.get('etag') }).toEqual({ status: 304, body: undefined, etag });
    expect(told.get('vary')).toContain('accept-language');
  }
  expect((await again(etag, 'uz')).status).toBe(200);
  expect((await again('"other"', 'ru')).status).toBe(200);
});
