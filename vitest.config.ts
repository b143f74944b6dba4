import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: './tests/service.ts',
    setupFiles: './tests/settings.ts',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
