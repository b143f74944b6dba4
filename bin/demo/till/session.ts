import { read, write } from './store.ts';
import { setLanguage } from './words.ts';

interface Session {
  readonly token: string;
  readonly user_id: number;
  readonly cashbox_id: number;
  readonly stock_id: number;
}

let current: Session | undefined;

export async function loadSession(): Promise<void> {
  setLanguage((await read<string>('values', 'language')) ?? 'oz');
  current = await read<Session>('values', 'session');
}

export async function changeLanguage(chosen: string): Promise<void> {
  setLanguage(chosen);
  await write([['values', 'language', chosen]]);
}

export function session(): Session | undefined {
  return current;
}

export function workplace(): { cashbox_id: number; stock_id: number } {
  if (!current) throw new Error('Nobody is signed in');
  return { cashbox_id: current.cashbox_id, stock_id: current.stock_id };
}

export async function setSession(session: Session | undefined): Promise<void> {
  current = session;
  await write([['values', 'session', session]]);
}
