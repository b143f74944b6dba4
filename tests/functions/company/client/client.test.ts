import { expect, test } from 'vitest';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, expectSixOperations, idsOf, make, REQUIRED, TAKEN } from '#tests/support/records.ts';

const CLIENTS = '/company/client/client';

const PHONE = 'Телефон должен быть в формате 998xxyyyzzzz.';

const full = {
  full_name: 'Алишер Каримов',
  gender: 'male',
  birth_date: '1990-02-28',
  main_phone: '998901112233',
  additional_phones: ['998901112234', '998901112235'],
  languages: [1, 2],
  address: 'Ташкент',
  latitude: 41.311081,
  longitude: 69.240562,
  socials: { other: null, facebook: null, telegram: '@alisher', instagram: null },
};

const bare = {
  full_name: 'Нодира',
  gender: null,
  birth_date: null,
  main_phone: '998907654321',
  additional_phones: [],
  languages: [],
  address: null,
  latitude: null,
  longitude: null,
  socials: { other: null, facebook: null, telegram: null, instagram: null },
};

test('a client is made, found, changed, deleted and restored', async () => {
  await expectSixOperations(CLIENTS, full, bare);
});

test('a name and a phone are enough; bonuses and the rest are not for a caller to set', async () => {
  const { director: token } = await newFamily();
  const { full_name, main_phone } = bare;
  const forged = { bonus_entries_amount: 5, is_imported: true, image: 'x' };
  const made = await call(`POST ${CLIENTS}`, { token, json: { full_name, main_phone, ...forged } });
  const own = { bonus_tariff_id: null, bonus_entries_amount: 0, bonus_accumulations_amount: 0 };
  expect(made.body).toMatchObject({ ...bare, ...own, is_imported: false, image: null, image_thumbs: null });
});

test('the main phone is unique in the family, and a deleted client keeps it', async () => {
  const [{ director }, stranger] = await Promise.all([newFamily(), newFamily()]);
  const id = await make(CLIENTS, director, full);
  await make(CLIENTS, stranger.director, full);
  await call(`DELETE ${CLIENTS}/${id}`, { token: director });
  const json = { full_name: 'Другой', main_phone: full.main_phone };
  expect(await errorsOf(`POST ${CLIENTS}`, director, json)).toEqual({ main_phone: TAKEN });
});

test('every field that is wrong is named on its path', async () => {
  const { director } = await newFamily();
  const json = {
    full_name: ' ',
    gender: 'other',
    birth_date: '28.02.1990',
    additional_phones: ['998901112234', '1'],
    languages: [1, 1],
    latitude: 90.1,
    longitude: -181,
    socials: { telegram: 5 },
  };
  expect(await errorsOf(`POST ${CLIENTS}`, director, json)).toEqual({
    full_name: REQUIRED,
    gender: 'Допустимые значения: male, female.',
    birth_date: 'Дата должна быть в формате ГГГГ-ММ-ДД.',
    main_phone: REQUIRED,
    'additional_phones.1': PHONE,
    languages: 'Значения не должны повторяться.',
    latitude: 'Не больше 90.',
    longitude: 'Не меньше -180.',
    'socials.telegram': 'Значение должно быть строкой.',
  });
  const phones = Array.from({ length: 11 }, (_, index) => `9989011122${10 + index}`);
  expect(await errorsOf(`POST ${CLIENTS}`, director, { ...full, additional_phones: phones })).toEqual({
    additional_phones: 'Не больше 10 элементов.',
  });
});

test('clients are found by parts of the name and of the phone, and by the day they came', async () => {
  const { director } = await newFamily();
  const alisher = await make(CLIENTS, director, full);
  const nodira = await make(CLIENTS, director, bare);
  expect(await idsOf(CLIENTS, director, 'filter[full_name]=КАРИМ')).toEqual([alisher]);
  expect(await idsOf(CLIENTS, director, 'filter[main_phone]=7654')).toEqual([nodira]);
  expect(await idsOf(CLIENTS, director, 'filter[created_at][1]=2020-01-01')).toEqual([]);
  expect(await idsOf(CLIENTS, director, 'filter[created_at][0]=2020-01-01')).toEqual([alisher, nodira]);
  const { body } = await call(`GET ${CLIENTS}?sort[]=-full_name`, { token: director });
  expect(body).toMatchObject({ data: [{ id: nodira }, { id: alisher }] });
});
