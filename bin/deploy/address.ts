import { lookup } from 'node:dns/promises';
import { print } from '../program/main.ts';
import { outputOf } from '../stage/stack.ts';

/**
 * Finds the address to try a stage at. A name of our own leads nowhere until someone points it at the content
 * network, which has a name of its own: then it is that.
 */
export async function findAddress(stage: string): Promise<string> {
  const address = await outputOf(stage, 'Address');
  const { hostname } = new URL(address);
  try {
    await lookup(hostname);
    return address;
  } catch {
    const network = await outputOf(stage, 'Distribution');
    if (network !== hostname)
      print(`${hostname} leads nowhere yet: point it at ${network}, which is tried here.`);
    return `https://${network}`;
  }
}
