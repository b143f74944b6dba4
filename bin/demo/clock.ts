import { sendTo } from '../cli/person.ts';

/** Sets the clock of the local service to a minute, `2026-12-01T10:00`; null for the machine's time. */
export async function moveClock(address: string, now: string | null): Promise<void> {
  const response = await sendTo(address, 'PUT /_local/clock', { json: { now } });
  if (!response.ok) throw new Error(`The service at ${address} has no clock to set: is it npm start?`);
}
