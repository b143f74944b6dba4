import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '#bench/support/random.ts';
import { type ChaosRun, clockError, type FleetSlot } from './fleet.ts';

/** A large transaction's lease is ten seconds: a process that stands still for longer is taken for dead. */
const FROZEN_MS = { least: 11_000, max: 16_000 };

/** Longer than a call lives: the process goes on with calls that were answered for it. */
const FROZEN_LONG_MS = { least: 31_000, max: 40_000 };

/** Kills and freezes processes, and sets clocks wrong, until the end. */
export async function disturb(
  places: readonly FleetSlot[],
  { seed, log }: ChaosRun,
  isTime: () => boolean,
): Promise<void> {
  const chance = randomFrom(seed, 'faults');
  const thawing: Promise<void>[] = [];
  while (!isTime()) {
    await pause(chance.between(1000, 5000));
    const running = places.filter(({ isFrozen, address }) => !isFrozen && address !== undefined);
    // Two of those that answer stay as they are, so that work goes on.
    if (running.filter(({ address }) => address !== '').length < 3) continue;
    const place = chance.oneOf(running);
    const kind = chance.next();
    if (kind < 0.4) {
      log.note('kill', { process: place.name });
      await place.kill();
    } else if (kind < 0.75) thawing.push(freeze(place));
    else {
      const ms = clockError(chance);
      log.note('clock', { process: place.name, ms });
      place.setClock(ms);
    }
  }
  await Promise.all(thawing);

  async function freeze(place: FleetSlot): Promise<void> {
    const { least, max } = chance.next() < 0.8 ? FROZEN_MS : FROZEN_LONG_MS;
    const ms = chance.between(least, max);
    log.note('freeze', { process: place.name, ms });
    place.freeze();
    const until = performance.now() + ms;
    while (performance.now() < until && !isTime()) await pause(250);
    place.thaw();
  }
}
