import * as z from 'zod';
import { type Dollars, NOTHING } from './dollars.ts';
import { PRICES } from './prices.ts';
import type { PaidResource } from './templates.ts';

const MONTH_S = 30 * 24 * 3600;

const Warm = z.object({
  ProvisionedConcurrencyConfig: z.object({ ProvisionedConcurrentExecutions: z.int() }),
  FunctionName: z.object({ Ref: z.string() }),
});

/** Prices a month of the templates' provisioned concurrency, by memory. */
export function warmMonth(resources: readonly PaidResource[]): Dollars {
  const memory = new Map(
    resources
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ id, Properties }) => [id, z.int().parse(Properties['MemorySize'] ?? 128)]),
  );
  const gigabytes = resources
    .filter(({ Type }) => Type === 'AWS::Lambda::Alias')
    .flatMap(({ Properties }) => Warm.safeParse(Properties).data ?? [])
    .map(({ ProvisionedConcurrencyConfig: warm, FunctionName }) => {
      return (warm.ProvisionedConcurrentExecutions * (memory.get(FunctionName.Ref) ?? 0)) / 1024;
    });
  const provisioned = gigabytes.reduce((sum, each) => sum + each, 0);
  return { ...NOTHING, fixed: provisioned * MONTH_S * PRICES.functions.warm_gb_second };
}
