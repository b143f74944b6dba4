import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_ACTIONS } from '#lib/table/change/send.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import { fitActionLimit } from '#lib/table/change/writes.ts';

/** Creates the write of an item of this size, which would rather be two writes. */
function growing(name: number, bytes: number): Write {
  const key = { pk: `item-${name}`, sk: 'item' };
  const aside = put({ pk: `item-${name}`, sk: 'aside' }, {});
  return { ...put(key, { text: 'x'.repeat(bytes) }), ifRoom: [put(key, { text: '' }), aside] };
}

function plain(count: number): Write[] {
  return Array.from({ length: count }, (_, index) => put({ pk: `plain-${index}`, sk: 'item' }, {}));
}

const isAside = ({ key }: Write) => key.sk === 'aside';

test('writes grow as far as the transaction stays one of DynamoDB’s own, all of them if it is none anyway', () => {
  fc.assert(
    fc.property(fc.nat(130), fc.array(fc.nat(50), { maxLength: 30 }), (others, sizes) => {
      const wanted = [...plain(others), ...sizes.map((bytes, index) => growing(index, bytes))];
      const made = fitActionLimit(wanted);
      const room = wanted.length > MAX_ACTIONS ? sizes.length : MAX_ACTIONS - wanted.length;
      expect(made.filter(isAside)).toHaveLength(Math.min(room, sizes.length));
      expect(new Set(made.map(({ key }) => `${key.pk} ${key.sk}`)).size).toBe(made.length);
      expect(made.filter((write) => !isAside(write)).map(({ key }) => key)).toEqual(
        wanted.map(({ key }) => key),
      );
    }),
  );
});

test('the largest items come first', () => {
  const made = fitActionLimit([...plain(MAX_ACTIONS - 4), growing(1, 5), growing(2, 500), growing(3, 50)]);
  expect(made.filter(isAside).map(({ key }) => key.pk)).toEqual(['item-2']);
});
