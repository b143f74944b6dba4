import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '#bench/support/random.ts';
import { type ChaosRun, clockError, type FleetSlot } from './fleet.ts';

/** A large transaction's lease is ten seconds: a process that stops for longer is considered dead. */
const FROZEN_MS = { least: 11_000, max: 16_000 };

/** Longer than a call lives: the process resumes calls that have already been answered for it. */
const FROZEN_LONG_MS = { least: 31_000, max: 40_000 };

/** Kills and freezes processes, and offsets clocks, until the end. */
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
    // Two processes with callers are left alone, so that work goes on.
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
    await until(performance.now() + ms, isTime);
    place.thaw();
  }
}

/** Shorter runs have no time for outages. */
const LEAST_WITH_OUTAGES_S = 180;

/** Duration of an outage, and its starts as parts of the run. */
const AWAY_MS = 30_000;
const AWAY_AT = [0.3, 0.65];

/** Cuts all processes off the table for half a minute, twice in a run that is long enough. */
export async function takeTableAway(
  seconds: number,
  { net, log }: Pick<ChaosRun, 'net' | 'log'>,
  isTime: () => boolean,
): Promise<void> {
  if (seconds < LEAST_WITH_OUTAGES_S) return;
  const began = performance.now();
  for (const part of AWAY_AT) {
    await until(began + part * seconds * 1000, isTime);
    if (isTime()) return;
    log.note('table taken away', {});
    net.isTableAway = true;
    await until(performance.now() + AWAY_MS, isTime);
    net.isTableAway = false;
  }
}

/** Waits until a moment or the end of the run. */
async function until(moment: number, isTime: () => boolean): Promise<void> {
  while (performance.now() < moment && !isTime()) await pause(250);
}
