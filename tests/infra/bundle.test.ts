import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { BUNDLING } from '#infra/bundle/settings.ts';

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...BUNDLING,
    entryPoints: [entry],
    external: ['@aws-sdk/*'],
    outdir: 'out',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

test('a bundle writes Cyrillic as it is, and not six bytes a letter', async () => {
  const text = await bundled('functions/company/trade/sale/index.ts');
  expect(text).toContain('Недостаточно товара');
  expect(text).not.toMatch(/\\u04[0-9a-f]{2}/i);
});

test('words of forms and sheets come only with what gives forms and sheets', async () => {
  expect(await bundled('functions/company/trade/sale/[model]/return.ts')).not.toContain('Итого');
  expect(await bundled('functions/company/trade/sale/[model]/print.ts')).toContain('Итого');
});
