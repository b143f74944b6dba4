import { afterEach, vi } from 'vitest';

const now = Date.now.bind(Date);
let ahead = 0;

afterEach(() => void vi.restoreAllMocks());

/**
 * Moves the clock a minute forward; it runs on from there. So the journal lease of a killed owner has
 * expired. `vi.restoreAllMocks` and the end of the test restore the clock.
 */
export function leaseRunsOut(): void {
  ahead += 60_000;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
}
