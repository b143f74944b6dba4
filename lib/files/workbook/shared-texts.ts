import { LONGEST_TEXT } from './cells.ts';
import type { XmlToken } from './xml.ts';

/** Reads the shared texts of a workbook with these indexes, each with all its parts. */
export class SharedTextReader {
  readonly #indexes: ReadonlySet<number>;
  readonly #texts = new Map<number, string>();
  #index = -1;
  #isText = false;
  #isReading = false;

  constructor(indexes: ReadonlySet<number>) {
    this.#indexes = indexes;
  }

  get texts(): ReadonlyMap<number, string> {
    return this.#texts;
  }

  take(token: XmlToken): void {
    if (token.kind === 'text') {
      if (this.#isText && !this.#isReading) this.#add(token.text);
    } else if (token.name === 'si' && token.kind === 'open') {
      this.#index += 1;
      this.#add('');
    } else if (token.name === 't') this.#isText = token.kind === 'open';
    else if (token.name === 'rPh') this.#isReading = token.kind === 'open';
  }

  /** Returns true once the texts up to an index are complete. */
  isPast(last: number): boolean {
    return this.#index > last;
  }

  #add(text: string): void {
    if (!this.#indexes.has(this.#index)) return;
    const whole = `${this.#texts.get(this.#index) ?? ''}${text}`;
    this.#texts.set(this.#index, whole.slice(0, LONGEST_TEXT));
  }
}
