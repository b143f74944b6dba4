import type { Person } from '#bin/cli/person.ts';
import {
  newMeter,
  roundTripsOf,
  runInContext,
  unitsOf,
  waitMsOf,
  writeUnitsOf,
} from '#lib/table/request-context.ts';
import { type ExpectedCall, expectAnswer } from './expected-call.ts';
import { type MeasuredShop, openService } from './measured-shop.ts';
import { type Scale, sizesOf } from './scale.ts';
import { type Line, lineOf, quantile } from './service.ts';
import { type Assortment, setUpShop } from './shop.ts';
import { countUnits } from './units.ts';

/** A call, or a worker's task, which runs in this process. */
type Deed = ExpectedCall | (() => Promise<unknown>);

/** Repetitions of a scene. */
interface Often {
  /** Repetitions before the measurement. */
  readonly warm: number;
  readonly times: number;
  /** Limit of the median. */
  readonly allowed_ms?: number;
}

/** Prepares the call or task. */
type Prepare = () => Promise<Deed> | Deed;

/** A measured scene. */
export interface Scene extends Often {
  readonly what: string;
  readonly prepare: Prepare;
}

/** Lists scenes with the same repetitions by name. */
export function scenesOf(often: Often, deeds: Readonly<Record<string, Prepare>>): Scene[] {
  return Object.entries(deeds).map(([what, prepare]) => ({ what, ...often, prepare }));
}

/** Scenes of several sizes, in a shop with goods for the largest. */
export interface Scenes {
  readonly sizes: readonly number[];
  readonly goods: (largest: number) => Assortment;
  readonly of: (stage: MeasuredShop, size: number) => Promise<readonly Scene[]> | readonly Scene[];
}

/** Medians of the measurements. Times in milliseconds, over HTTP, one caller. */
interface SceneFigure {
  readonly what: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly allowed_ms?: number | undefined;
  readonly outside_sdk_ms: number;
  readonly round_trips: number;
  readonly read_units: number;
  /** As AWS bills them. */
  readonly written_units: number;
  /** Of those, on the busiest partition key. */
  readonly hottest: number;
}

interface Services extends Pick<MeasuredShop, 'service'> {
  readonly client: Pick<Person, 'send'>;
  readonly seen: Pick<Person, 'send'>;
}

type Sample = Pick<Line, 'duration_ms' | 'table_ms' | 'round_trips' | 'capacity_units' | 'written_units'> & {
  readonly ms: number;
};

/** Measures scenes with one service, each kind in a shop of its own. */
export async function measureScenes(all: Iterable<Scenes>, scale: Scale): Promise<readonly SceneFigure[]> {
  const service = await openService();
  const figures: SceneFigure[] = [];
  for (const { sizes, goods, of } of all) {
    const chosen = sizesOf(scale, sizes);
    const stage = { ...service, shop: await setUpShop(service.client, goods(Math.max(...chosen))) };
    for (const size of chosen) {
      for (const scene of await of(stage, size)) {
        figures.push(await measureScene(stage, scale.isSmallest ? { ...scene, warm: 0, times: 1 } : scene));
      }
    }
  }
  await service.stop();
  return figures;
}

/**
 * Measures a scene, then runs it once more in this process to count billed units. Throws on any unexpected
 * response.
 */
export async function measureScene(stage: Services, scene: Scene): Promise<SceneFigure> {
  try {
    return await play(stage, scene);
  } catch (cause) {
    throw new Error(`${scene.what}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

async function play(
  stage: Services,
  { what, warm, times, allowed_ms, prepare }: Scene,
): Promise<SceneFigure> {
  const all: Sample[] = [];
  for (let turn = 0; turn < warm + times; turn++) all.push(await measureDeed(stage, await prepare()));
  const took = all.slice(warm);
  const last = await prepare();
  const billed = await countUnits(() =>
    typeof last === 'function' ? last() : expectAnswer(stage.seen, last),
  );
  const middle = (of: (one: Sample) => number, share?: number) => quantile(took.map(of), share);
  return {
    what,
    p50_ms: middle(({ ms }) => ms),
    p95_ms: middle(({ ms }) => ms, 0.95),
    ...(allowed_ms !== undefined && { allowed_ms }),
    outside_sdk_ms: middle(({ duration_ms, table_ms }) => duration_ms - table_ms),
    round_trips: Math.max(...took.map(({ round_trips }) => round_trips)),
    read_units: middle(({ capacity_units, written_units }) => capacity_units - written_units),
    ...billed,
  };
}

async function measureDeed({ service, client }: Services, deed: Deed): Promise<Sample> {
  const began = performance.now();
  if (typeof deed !== 'function') {
    const reply = await expectAnswer(client, deed);
    const ms = performance.now() - began;
    return { ...(await lineOf(service, reply)), ms };
  }
  const meter = newMeter();
  await runInContext({ meter }, deed);
  const ms = performance.now() - began;
  return {
    ms,
    duration_ms: ms,
    table_ms: waitMsOf(meter),
    round_trips: roundTripsOf(meter),
    capacity_units: unitsOf(meter),
    written_units: writeUnitsOf(meter),
  };
}
