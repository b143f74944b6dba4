import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { delay } from '#bench/chaos/fault.ts';
import type { FaultProxy } from '#bench/chaos/proxy.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { getRawItems } from '#lib/table/items.ts';
import { addressOf, type Key } from '#lib/table/keys.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { faultInTest } from './table-faults.ts';

const BATCH = 25;

/**
 * Prepares a scene once, and returns a function that resets it, to the item. The work changes few items,
 * where the scene may have thousands of rows.
 */
export async function resettingScene(
  proxy: FaultProxy,
  setUp: () => Promise<void>,
): Promise<() => Promise<void>> {
  const written = new Map<string, Key>();
  const note = (call: WireCall) => {
    if (call.isWrite) for (const key of call.keys) written.set(addressOf(key), key);
    return false;
  };
  faultInTest(proxy, note, delay(0));
  await setUp();
  const before = new Map<string, Item>();
  for (const item of await getRawItems([...written.values()])) if (item) before.set(addressOf(item), item);
  written.clear();
  return async () => {
    // Calls of a killed process may still arrive.
    await proxy.idle();
    const requests = [...written].map(([address, Key]) => {
      const Item = before.get(address);
      return Item ? { PutRequest: { Item } } : { DeleteRequest: { Key } };
    });
    for (const batch of splitEvery(requests, BATCH)) {
      await dynamo.send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
    }
    written.clear();
  };
}
