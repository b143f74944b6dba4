import { setUpTrade } from './documents.ts';
import { measureTransfers } from './transfer.ts';
import { measureWriteOffs } from './write-off.ts';

/** Measures write-offs and transfers. They share a service: a process works on the data of one only. */
export async function measureGoods(): Promise<readonly object[]> {
  const scene = await setUpTrade(1000);
  const figures = [...(await measureWriteOffs(scene)), ...(await measureTransfers(scene))];
  await scene.service.stop();
  return figures;
}
