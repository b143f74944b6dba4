import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ALONE } from './tests/alone.ts';
import { APART } from './tests/apart.ts';
import { LongestFirst } from './tests/longest-first.ts';
import { skippedTests } from './tests/skipped.ts';
import { TEMPLATES } from './tests/templates.ts';

// Kills at every call, lost answers and random days take minutes, and have a command of their own: `npm run
// faults`. Their time limit only ends what hangs: a test cut off goes on killing beside the next one.
const FAULTS = 'tests/**/*.faults.test.ts';

// What would be deployed needs no service that runs, and a command of its own: `npm run prove`. One process
// loads the CDK once for all of it, and reads each bundle once.
const PROOF = 'tests/infra/**/*.test.ts';

// Only ends what hangs. What a machine with other work makes slow has not failed, and speed has its benches.
const PATIENCE_MS = 120_000;

// Faults kill at every call, and proofs stand beside them: on a slow machine one takes minutes of its own.
const LONG_PATIENCE_MS = 600_000;

// A test that waits for the table, a timer or a process needs no core: three more than there are use all.
const maxWorkers = availableParallelism() + 3;

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', skippedTests],
    globalSetup: ['./tests/temporary.ts', './tests/service.ts'],
    setupFiles: ['./tests/settings.ts', './tests/kit/rules.ts'],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/**/*.test.ts'],
          exclude: [TEMPLATES, FAULTS, PROOF, ...ALONE, ...APART, '**/node_modules/**'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: [...ALONE] } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [...APART],
          isolate: false,
          globalSetup: ['./tests/temporary.ts', './tests/apart.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'templates',
          include: [TEMPLATES],
          globalSetup: ['./tests/temporary.ts', './tests/templates.ts'],
        },
      },
      { extends: true, test: { name: 'faults', include: [FAULTS], testTimeout: LONG_PATIENCE_MS } },
      {
        test: {
          name: 'proof',
          isolate: false,
          include: [PROOF],
          globalSetup: ['./tests/temporary.ts', './tests/infra/bundling.ts'],
          testTimeout: LONG_PATIENCE_MS,
          hookTimeout: LONG_PATIENCE_MS,
        },
      },
    ],
  },
});
