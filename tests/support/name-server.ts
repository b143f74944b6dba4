import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { groupsOf } from '#lib/auth/address.ts';

const [A, AAAA] = [1, 28];

/**
 * Starts a name server that answers each look-up of a name with the current result of `addressesOf`,
 * uncached, as a hostile one does. Only the resolver configured with it uses it.
 */
export async function startNameServer(addressesOf: (name: string) => readonly string[]) {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionIn(question);
    const records = addressesOf(name)
      .filter((each) => type === (isIPv6(each) ? AAAA : A))
      .map((each) => recordOf(type, bytesOf(each)));
    const head = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() };
}

function questionIn(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

// The name of the question, this type, of the internet, for no time at all.
function recordOf(type: number, bytes: readonly number[]): Buffer {
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
}

function bytesOf(address: string): number[] {
  if (!isIPv6(address)) return address.split('.').map(Number);
  return groupsOf(address).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
