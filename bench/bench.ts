import { spawnSync } from 'node:child_process';
import { Console } from 'node:console';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { takeArguments } from '#bin/cli/main.ts';
import { chooseEngine } from '#bin/local/database/engine.ts';
import { LONG, PROGRAMS, SCENES } from './parts.ts';
import { measureScenes } from './support/scene.ts';

/** Group of all scenes, which share one process when run once each. */
const TOGETHER = 'scenes';

const NAMES = [...SCENES.keys(), ...PROGRAMS.keys()];

const LATEST = join(import.meta.dirname, 'latest.json');

const USAGE = `npm run bench -- [<part>…] [--smallest]

Measures parts of the service on data of its own: the named ones, by name or by a prefix of names up to a slash, or
else all but the longest. From seconds to minutes each; --smallest only checks that each runs. The parts are
${NAMES.join(', ')}.`;

const { positionals, values: flags } = takeArguments(USAGE, {
  allowPositionals: true,
  options: { smallest: { type: 'boolean', default: false } },
});

const scale = { isSmallest: flags.smallest };
const parts = positionals.length > 0 ? positionals.flatMap(partsOf) : usualParts();
const [only, ...others] = parts;
if (only !== undefined && others.length === 0) await measurePart(only);
else measureEachApart(parts);

/** Lists the parts of a group, or the one of that name. */
function partsOf(prefix: string): string[] {
  const found = [TOGETHER, ...NAMES].filter((name) => name === prefix || name.startsWith(`${prefix}/`));
  if (found.length > 0) return found;
  process.stderr.write(`Unknown part ${prefix}. The parts are ${NAMES.join(', ')}.\n`);
  process.exit(1);
}

function usualParts(): string[] {
  if (scale.isSmallest) return [TOGETHER, ...PROGRAMS.keys()];
  return NAMES.filter((name) => !LONG.includes(name));
}

async function measurePart(name: string): Promise<void> {
  const figures = await figuresOf(name);
  const screen = new Console(process.stdout);
  screen.log(`\n${name}, on ${chooseEngine().title}`);
  screen.table(figures);
  if (!scale.isSmallest) saveFigures(name, figures);
}

async function figuresOf(name: string): Promise<readonly object[]> {
  const program = PROGRAMS.get(name);
  if (program) return program(scale);
  const scenes = SCENES.get(name);
  return measureScenes(scenes ? [scenes] : SCENES.values(), scale);
}

/**
 * Measures each part in a process of its own: the table's client is bound to one service, and each part
 * starts its own. Reports the failed parts.
 */
function measureEachApart(names: readonly string[]): void {
  const flag = scale.isSmallest ? ['--smallest'] : [];
  const failed = names.filter((name) => {
    const args = [import.meta.filename, name, ...flag];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
  });
  if (failed.length === 0) return;
  process.stderr.write(`Failed: ${failed.join(', ')}.\n`);
  process.exitCode = 1;
}

/** Writes a part's figures to `bench/latest.json`, beside the latest of the others. */
function saveFigures(name: string, figures: readonly object[]): void {
  const Saved = z.record(z.string(), z.unknown());
  const saved = existsSync(LATEST) ? Saved.parse(JSON.parse(readFileSync(LATEST, 'utf8'))) : {};
  const latest = {
    ...saved,
    [name]: {
      measured_at: new Date().toISOString(),
      node: process.version,
      engine: chooseEngine().name,
      figures,
    },
  };
  writeFileSync(LATEST, `${JSON.stringify(latest, null, 2)}\n`);
}
