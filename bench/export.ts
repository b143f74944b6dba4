import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';
import { loadSales, salesOf } from './support/sales.ts';
import { type Scale, sizesOf } from './support/scale.ts';
import { startMeasured } from './support/service.ts';
import { indexLoadedItems } from './support/write-items.ts';

const SIZES = [1000, 100_000];

/** Cost of a workbook. Memory is the peak of the process that writes it, in megabytes. */
const Usage = z.object({
  seconds: z.number(),
  cpu_seconds: z.number(),
  rss_most_mb: z.number(),
  units: z.number(),
  given: z.string(),
});

/** Measures the workbook of a family's sales, of a thousand and of the maximum. */
export async function measureExports(scale: Scale): Promise<object[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const figures: object[] = [];
  for (const sales of sizesOf(scale, SIZES)) {
    // Each in a family of its own.
    const source = salesOf(sales);
    await loadSales(source, sales, Date.now());
    await indexLoadedItems(source);
    const { given, ...usage } = await exportOf(sales);
    const bytes = given.startsWith('http') ? await sizeOf(given) : Number.parseInt(given, 10);
    figures.push({ sales, ...usage, megabytes: Math.round(bytes / 1024 / 102.4) / 10 });
  }
  await service.stop();
  return figures;
}

async function exportOf(familyId: number) {
  const made = fork(join(import.meta.dirname, 'export-function.ts'), [String(familyId)]);
  const [usage] = await Promise.race([once(made, 'message'), once(made, 'exit')]);
  made.kill();
  return Usage.parse(usage);
}

async function sizeOf(link: string): Promise<number> {
  const file = await fetch(link);
  if (!file.ok) throw new Error(`The workbook's link: ${file.status}`);
  return (await file.bytes()).length;
}
