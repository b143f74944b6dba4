import { isDeepStrictEqual } from 'node:util';
import { expectAnswer } from '#bench/support/expected-call.ts';
import type { Scale } from '#bench/support/scale.ts';
import { type Line, lineOf, type MeasuredService, startMeasured } from '#bench/support/service.ts';
import { saleBodyOf, setUpShop } from '#bench/support/shop.ts';
import { fetchToken, personOf } from '#bin/cli/person.ts';

const LINES = [1, 10];
const TIMES = 20;

/** Cost of a sale to its function. */
type Cost = Pick<Line, 'round_trips' | 'capacity_units' | 'written_units'>;

/**
 * Sells the same in a service whose table has no stream, and in one with a consumed stream. Throws unless
 * both cost the same.
 */
export async function measureSale({ isSmallest }: Scale): Promise<readonly object[]> {
  const without = await startMeasured({ WITHOUT_STREAM: '1' });
  const times = isSmallest ? 1 : TIMES;
  const before = await sellAll(without, times).finally(without.stop);
  const followed = await startMeasured();
  const after = await sellAll(followed, times).finally(followed.stop);
  if (!isDeepStrictEqual(before, after)) {
    throw new Error(
      `A sale costs ${JSON.stringify(before)} without the stream, ${JSON.stringify(after)} with`,
    );
  }
  return LINES.flatMap((lines, index) =>
    ['without a stream', 'with the stream followed'].map((how, way) => {
      return { what: `sale of ${lines} lines, ${how}`, ...(way === 0 ? before : after)[index] };
    }),
  );
}

/** Sells carts of each size, each in the same state of its shop as in the other service. */
async function sellAll(service: MeasuredService, times: number): Promise<Cost[]> {
  const client = personOf(service.address, await fetchToken(service.address, 'director'));
  const costs: Cost[] = [];
  for (const lines of LINES) {
    const shop = await setUpShop(client, { products: lines, desks: 1 });
    const json = saleBodyOf(shop, shop.desks[0] ?? 0, shop.products);
    const made: Line[] = [];
    while (made.length < times) {
      const reply = await expectAnswer(client, { request: 'POST /company/trade/sale', json });
      made.push(await lineOf(service, reply));
    }
    costs.push(mostOf(made));
  }
  return costs;
}

function mostOf(lines: readonly Line[]): Cost {
  const max = (of: (line: Line) => number) => Math.max(...lines.map(of));
  return {
    round_trips: max(({ round_trips }) => round_trips),
    capacity_units: max(({ capacity_units }) => capacity_units),
    written_units: max(({ written_units }) => written_units),
  };
}
