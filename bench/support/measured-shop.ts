import { fetchToken, type Person, personOf } from '#bin/cli/person.ts';
import { newClock } from '#bin/local/clock.ts';
import { startServer } from '#bin/local/server.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { isIn, type Staff } from '#lib/auth/actor.ts';
import { identify } from '#lib/auth/identify.ts';
import { readToken } from '#lib/auth/tokens.ts';
import { type MeasuredService, startMeasured } from './service.ts';
import { type Assortment, type BenchShop, setUpShop } from './shop.ts';

/**
 * A shop and its director, with a service in a process of its own, to measure its time, and one in this
 * process on the same data, to observe its writes.
 */
export interface MeasuredShop {
  readonly service: MeasuredService;
  readonly client: Person;
  readonly seen: Person;
  readonly actor: Staff;
  readonly shop: BenchShop;
  stop(): Promise<void>;
}

/** Further environment of the service. */
type Env = Parameters<typeof startMeasured>[0];

/** Starts the service, one per process: its table belongs to one service. */
export async function openService(env?: Env): Promise<Omit<MeasuredShop, 'shop'>> {
  const service = await startMeasured(env);
  Object.assign(process.env, service.settings, { LOG_LEVEL: 'silent' });
  const token = await fetchToken(service.address, 'director');
  const actor = await identify(await readToken(token, Date.now()), Date.now());
  if (!isIn('company', actor)) throw new Error('A director is staff');
  const client = personOf(service.address, token);
  const server = await startServer(await discoverRoutes(), async () => undefined, newClock(), 0);
  const stop = async () => {
    await server.stop();
    await service.stop();
  };
  return { service, client, seen: personOf(server.address, token), actor, stop };
}

/** Starts the service with a shop. */
export async function openMeasuredShop(goods: Assortment, env?: Env): Promise<MeasuredShop> {
  const service = await openService(env);
  return { ...service, shop: await setUpShop(service.client, goods) };
}
