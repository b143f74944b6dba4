import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { exportFamily } from '#bin/family/export.ts';
import { progressIn } from '#bin/family/folder.ts';
import { keyOfRaw, scanRaw } from '#bin/family/raw.ts';
import { readBooks } from '#bin/verify/family.ts';
import { brands } from '#lib/catalog/brand.ts';
import { findRecord } from '#lib/records/record.ts';
import { salesRollups } from '#lib/reports/rollups/sales.ts';
import { tableName } from '#lib/table/client.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { newClientOnCredit, PERSONAL } from '#tests/support/client-on-credit.ts';
import type { ReceivedCall } from '#tests/support/endpoint.ts';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { killAtEachCall } from '#tests/support/kill-program.ts';
import { sellOne } from '#tests/support/shop.ts';
import { closeFamily, copyFamilyTable } from '#tests/support/table-copy.ts';
import { newTradeWithReceipt } from '#tests/support/trade-with-receipt.ts';

/* Programs on one family, killed at any of their calls and run again. */

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  folders.push(folder);
  return folder;
}

const place = (family: number) => ['--family', String(family), '--table', tableName()];

async function nameOf(family: number): Promise<string> {
  const token = await newSuperAdministrator();
  return (await call(`GET /admin/company/company/${family}`, { token })).text('name');
}

/** Creates a shop with a brand that has an image, and a sale. */
async function newTrade() {
  const trade = await newTradeWithReceipt();
  expect((await sellOne(trade, trade.goods, 1, 5000)).status).toBe(200);
  return trade;
}

/** Lists the texts of a folder's files, all but the progress. */
function textsIn(folder: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true });
  return names
    .filter((each) => each.isFile() && each.name !== 'export.json')
    .map((each) => [each.name, readFileSync(join(each.parentPath, each.name), 'base64')])
    .sort();
}

// Calls are repeated once their test is over, the first of each kind: so the first family is left as it is.
test('export, killed at any call to the table, goes on to a whole export', async () => {
  const { companyId } = await newTrade();
  const address = inject('address');
  const whole = newFolder();
  const { records, files } = await exportFamily(companyId, whole, address);
  const texts = textsIn(whole);
  expect(files).toBeGreaterThan(0);
  for (let calls = 0; ; calls++) {
    const folder = newFolder();
    const isWhole = await withCalls(calls, () => exportFamily(companyId, folder, address));
    await exportFamily(companyId, folder, address);
    expect({ calls, records: progressIn(folder)?.records }).toEqual({ calls, records });
    expect(textsIn(folder)).toEqual(texts);
    if (!isWhole) continue;
    expect(calls).toBeGreaterThan(40);
    return;
  }
});

test.concurrent('export, killed at any file that it fetches, goes on to a whole export', async () => {
  const { companyId } = await newTrade();
  const isOfFile = ({ method, url }: ReceivedCall) => method === 'GET' && url.pathname.startsWith('/public/');
  const files = new Set<string>();
  const newScene = async () => {
    const folder = newFolder();
    const check = async (_: string, after: string) => {
      const [, counted = ''] = /records and (\d+) files/.exec(after) ?? [];
      const stored = textsIn(join(folder, 'files')).map(([name]) => name);
      expect(stored).toHaveLength(Number(counted));
      files.add(JSON.stringify(stored));
    };
    return { args: [...place(companyId), '--to', folder, '--address', inject('address')], check };
  };
  expect(await killAtEachCall('export', newScene, isOfFile)).toBeGreaterThan(1);
  expect(files.size).toBe(1);
});

test.concurrent('erase leaves nothing of a family, nor of its files', async () => {
  const calls = await killAtEachCall('erase', async () => {
    const { companyId: family } = await newTrade();
    const name = await nameOf(family);
    await closeFamily(family);
    const folder = newFolder();
    await exportFamily(family, folder, inject('address'));
    const files = readdirSync(join(folder, 'files/public'), { recursive: true, encoding: 'utf8' });
    const check = async () => {
      const left: string[] = [];
      for await (const items of scanRaw(tableName()))
        left.push(
          ...items
            .map(keyOfRaw)
            .flatMap(({ pk }) => (pk.split('#').includes(familyTenant(family)) ? pk : [])),
        );
      // The stream consumer writes about deleted items.
      expect(left.filter((pk) => !/^(activity|feed)#/.test(pk))).toEqual([]);
      for (const file of files.filter((each) => /\.(png|webp)$/.test(each)))
        expect((await fetch(`${inject('address')}/public/${file}`)).status).not.toBe(200);
    };
    return { args: [...place(family), '--from', folder, '--yes', name], env: inject('settings'), check };
  });
  expect(calls).toBeGreaterThan(5);
});

test.concurrent('anonymize leaves nothing that tells who a client is', async () => {
  const calls = await killAtEachCall('anonymize', async () => {
    const { companyId: family, client } = await newClientOnCredit();
    const check = async (_: string, after: string) => {
      expect(after).toContain(`Client ${client} of family ${family} is a number now`);
      for await (const items of scanRaw(tableName())) {
        for (const item of items.filter((each) =>
          keyOfRaw(each).pk.split('#').includes(familyTenant(family)),
        ))
          expect(PERSONAL.filter((each) => JSON.stringify(item).includes(each))).toEqual([]);
      }
      expect((await readBooks(family)).violations).toEqual([]);
    };
    return { args: [...place(family), '--client', String(client)], env: inject('settings'), check };
  });
  expect(calls).toBeGreaterThan(1);
});

test.concurrent('restore of one family leaves it as it was, and its books add up', async () => {
  const calls = await killAtEachCall('restore', async () => {
    const { brand, goods, ...shop } = await newTrade();
    const { companyId: family, director: token } = shop;
    const name = await nameOf(family);
    const from = await copyFamilyTable(family);
    for (let each = 0; each < 2; each++) expect((await sellOne(shop, goods, 1, 5000)).status).toBe(200);
    expect((await call(`DELETE /company/product/brand/${brand}`, { token })).status).toBe(200);
    // Rollups exist of the items to be erased.
    await updateRollups({ ...salesRollups, worth: 1 }, familyTenant(family), Date.now());
    await closeFamily(family);
    const check = async (_: string, after: string) => {
      expect(after).toContain(`Family ${family}: everything adds up.`);
      expect(await wholePartition(partition(sales.type, familyTenant(family)))).toHaveLength(1);
      const back = await findRecord({ type: brands, tenant: familyTenant(family), id: brand });
      expect(back).toMatchObject({ is_deleted: false });
    };
    return { args: [...place(family), '--from', from, '--yes', name], env: inject('settings'), check };
  });
  expect(calls).toBeGreaterThan(5);
});
