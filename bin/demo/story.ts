import type { Client } from './client.ts';

/** A shop whose day is told. */
export interface Story {
  readonly companyId: number;
  readonly director: Client;
  readonly cashier: Client;
  readonly stock_id: number;
  readonly cashbox_id: number;
  readonly say: (sentence: string) => void;
}

/** Writes an amount with its thousands apart. */
export function spaced(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ' ');
}
