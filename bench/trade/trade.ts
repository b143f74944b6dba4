import { measureCounts } from './counts.ts';
import { measureRepricing } from './repricing.ts';
import { measureReturns } from './return.ts';

/** Measures what trading beside sales costs: each file here measures one kind of document. */
export async function measureTrade(): Promise<readonly object[]> {
  return [...(await measureCounts()), ...(await measureRepricing()), ...(await measureReturns())];
}
