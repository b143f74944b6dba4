import { defineConfig } from 'vitest/config';
import { skippedTests } from './tests/skipped.ts';

// What a template of the platform makes comes to every family: those tests have a service of their own.
const TEMPLATES = 'tests/functions/admin/product/**/*.test.ts';

// Kills at every call, lost answers and random days take minutes, and have a command of their own: `npm run
// faults`.
const FAULTS = 'tests/**/*.faults.test.ts';

// What would be deployed needs no service that runs, and a command of its own: `npm run prove`.
const PROOF = 'tests/infra/**/*.test.ts';

export default defineConfig({
  test: {
    reporters: ['default', skippedTests],
    globalSetup: ['./tests/temporary.ts', './tests/service.ts'],
    setupFiles: ['./tests/settings.ts', './tests/kit/rules.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: ['tests/**/*.test.ts'],
          exclude: [TEMPLATES, FAULTS, PROOF, '**/node_modules/**'],
        },
      },
      { extends: true, test: { name: 'templates', include: [TEMPLATES] } },
      { extends: true, test: { name: 'faults', include: [FAULTS] } },
      {
        test: {
          name: 'proof',
          include: [PROOF],
          globalSetup: ['./tests/temporary.ts', './tests/infra/bundling.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
