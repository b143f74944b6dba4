import { afterEach, vi } from 'vitest';

const now = Date.now.bind(Date);
let ahead = 0;

afterEach(() => void vi.restoreAllMocks());

/**
 * Puts the clock a minute forward; it goes on from there. So the lease of a journal whose owner was killed
 * is over. `vi.restoreAllMocks` and the end of the test bring the time of day back.
 */
export function leaseRunsOut(): void {
  ahead += 60_000;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
}
