import { expect, test } from 'vitest';
import ru from '#lib/values/messages/ru.json' with { type: 'json' };
import { codeFiles, textOf } from './files.ts';

const TEXTS = new Map<string, string>(Object.entries(ru));

/** A message's code with the values for its text, as an object beside it. */
const WITH_VALUES = /'([a-z_]+\.[a-z_]+)',\s*(?:with:\s*)?\{([^{}]*)\}/g;

test('values given beside a message are those that its text has places for', () => {
  const uses = codeFiles(['lib', 'functions']).flatMap((file) =>
    [...textOf(file).matchAll(WITH_VALUES)].flatMap(([, code = '', values = '']) => {
      const text = TEXTS.get(code);
      return text === undefined || values.includes('...') ? [] : [{ code, text, values }];
    }),
  );
  expect(uses.length).toBeGreaterThan(20);
  const missing = uses.flatMap(({ code, text, values }) => {
    const names = values.split(',').map((value) => value.split(':')[0]?.trim());
    const places = [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
    return places.filter((place) => !names.includes(place)).map((place) => `${code}: ${place}`);
  });
  expect(missing).toEqual([]);
});
