import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rewriteModule } from '#infra/bundle/lazy-consts.ts';
import { ROOT } from '#infra/bundle/settings.ts';
import { parseModule } from '#infra/bundle/source-module.ts';

/** Rewrites a source as if it were a module of ours, and takes the blanks out. */
async function rewritten(source: string): Promise<string> {
  const code = await rewriteModule(parseModule(join(ROOT, 'lib/any.ts'), source));
  return code.replaceAll(/\s+/g, ' ');
}

test('what a const holds is made when it is first read; what is written down stays', async () => {
  const code = await rewritten("export const a = make(1); export const b = 'b'; export const c = () => a;");
  expect(code).toContain('a$ = /* @__PURE__ */ new Made$(() => make(1))');
  expect(code).toContain('b = "b"');
  expect(code).toContain('c = () => a$.it');
});

test('a name is read wherever it means that const, and nowhere else', async () => {
  const code = await rewritten(
    'const a = make(); const read = () => ({ a }); const own = (a: typeof read) => ({ a }); read(); own();',
  );
  expect(code).toContain('read = () => ({ a: a$.it })');
  expect(code).toMatch(/own = \((\w+)\) => \(\{ a: \1 \}\)/);
});

test('what is taken out of a value is made by itself', async () => {
  const code = await rewritten('export const { list, get: one } = records();');
  expect(code).toMatch(/(whole\d+\$) = .* new Made\$\(\(\) => records\(\)\)/);
  expect(code).toMatch(/list\$ = .* new Made\$\(\(\) => whole\d+\$\.it\.list\)/);
  expect(code).toMatch(/one\$ = .* new Made\$\(\(\) => whole\d+\$\.it\.get\)/);
});

test('an import takes what holds a value, by its name or out of its whole module', async () => {
  const code = await rewritten(
    "import { Brand, newBrand } from '#lib/catalog/brand.ts'; import * as brands from '#lib/catalog/brand.ts'; " +
      'export const read = () => [Brand, newBrand, brands.BrandInput, brands.edit];',
  );
  expect(code).toContain('import { Brand$, newBrand }');
  expect(code).toContain('[Brand$.it, newBrand, brands$BrandInput$.it, brands$edit]');
});

test('a module that is read as a whole is refused, and a pattern that takes more than names', async () => {
  const whole = "import * as brands from '#lib/catalog/brand.ts'; export const all = () => brands;";
  await expect(rewritten(whole)).rejects.toThrow('of brands only a name that it exports can be read');
  await expect(rewritten('export const { a, ...rest } = make();')).rejects.toThrow('takes plain names');
});
