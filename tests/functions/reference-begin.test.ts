import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { textOf } from '#tests/conventions/files.ts';
import { codeOn } from '#tests/support/markup.ts';

const run = promisify(execFile);

const STEPS = ['sign-in', 'places', 'key', 'list', 'sell', 'print'];

async function pageOf(name: string): Promise<string> {
  const response = await fetch(`${inject('address')}/docs/${name}`);
  expect(response.status, name).toBe(200);
  return response.text();
}

/** Returns the code of a page's examples, as copied by a reader. */
function examples(page: string, ids: readonly string[]): string {
  return ids.map((id) => codeOn(page, id)).join('\n');
}

test('Begin signs in, creates a key, lists, sells and prints by curl (Part 5, 5B.13 (1))', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'begin-'));
  const page = await pageOf('begin');
  const commands = examples(
    page,
    STEPS.map((step) => `curl-${step}`),
  );
  const rights = examples(await pageOf('rights'), ['curl-rights']);
  const script = `set -eu\n${commands}\n${rights}\necho "\nsale $ID"`;
  const { stdout } = await run('bash', ['-c', script], { cwd: folder });
  expect(stdout).toMatch(/^eyJ.*\ndesk \d+, warehouse \d+, role \d+\nrk_.*\n/);
  expect(stdout).toMatch(/"data":\[\{"id":\d+[\s\S]*"username":"director"[\s\S]*\nsale \d+/);
  expect(await readFile(join(folder, 'slip.html'), 'utf8')).toContain('<h1>Чек #');
});

test('Begin does the same by fetch (Part 5, 5B.13 (1))', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'begin-'));
  const page = await pageOf('begin');
  const program = examples(
    page,
    STEPS.map((step) => `fetch-${step}`),
  );
  await writeFile(join(folder, 'begin.mjs'), program);
  const { stdout } = await run(process.execPath, [join(folder, 'begin.mjs')], { cwd: folder });
  expect(stdout).toMatch(/rk_.*\n\d+ products:\n[\s\S]*1 Suv 1,5 l 4000\n[\s\S]*#\d+ 8000\n$/);
  expect(await readFile(join(folder, 'slip.html'), 'utf8')).toContain('<h1>Чек #');
});

test('all rows of a list are read as Lists does (Part 5, 5B.13 (1))', async () => {
  const begin = examples(await pageOf('begin'), ['fetch-sign-in']);
  const code = `${begin}\n${examples(await pageOf('lists'), ['all-rows'])}
    const headers = { authorization: \`Bearer \${token}\` };
    console.log((await allRows(API + '/company/product/product?page-size=2', headers)).length);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  expect(Number(stdout.trim().split('\n').at(-1))).toBeGreaterThan(2);
});

test('Lists has each operation with a limit (Part 5, 5B.13 (1))', async () => {
  const page = await pageOf('lists');
  expect(page).toContain('<code>POST /company/trade/sale/sync</code></td><td>60 in 60 s');
  expect(page).not.toContain('{limits}');
});

test('the changelog is that of the repository, and names the version of the document (Part 5, 5B.13 (3))', async () => {
  const page = await pageOf('changes');
  const document = await (await fetch(`${inject('address')}/openapi.json`)).json();
  const { info } = z.object({ info: z.object({ version: z.string() }) }).parse(document);
  expect(page).toContain(`<code>${info.version}</code>`);
  const headings = [...textOf('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  for (const heading of headings) expect(page).toContain(`<h2>${heading}</h2>`);
});

test('every page is in the bar of every page (Part 5, 5B.13 (1))', async () => {
  const bar = /<nav>(.*?)<\/nav>/s.exec(await pageOf('begin'))?.[1] ?? '';
  const links = [...bar.matchAll(/href="\/docs\/?([\w-]*)"/g)].map(([, name]) => name);
  expect(links).toEqual(expect.arrayContaining(['begin', 'lists', 'rights', 'guide', 'generate', 'changes']));
  for (const name of links) expect(await pageOf(name ?? '').catch(() => ''), name).toContain(bar);
});

test('the document has a webhook for each event (Part 5, 5B.13 (2))', async () => {
  const Document = z.object({
    webhooks: z.record(z.string(), z.unknown()),
    components: z.object({
      schemas: z.object({
        WebhookEvent: z.object({ properties: z.object({ type: z.object({ enum: z.array(z.string()) }) }) }),
      }),
    }),
  });
  const { webhooks, components } = Document.parse(
    await (await fetch(`${inject('address')}/openapi.json`)).json(),
  );
  const events = components.schemas.WebhookEvent.properties.type.enum;
  expect(Object.keys(webhooks).sort()).toEqual([...events, 'test'].sort());
});
