import { afterAll, inject, vi } from 'vitest';
import { waitForLocks } from '#bin/local/database/locks.ts';
import { billMissing } from '#bin/local/database/missing-items.ts';

// Domain functions that a test calls directly work on the data of the running service.
Object.assign(process.env, inject('settings'));

// Units are what AWS bills, in the processes of tests as in the service.
billMissing();

// A test is no place to find out that the machine was busy.
waitForLocks();

// Files share a process: none leaves another a setting, a spy or a clock of its own.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
