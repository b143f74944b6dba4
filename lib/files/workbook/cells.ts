import { attributeOf, type XmlToken } from './package.ts';

/** A cell as the sheet has it: its text, or a number into the shared texts or into time. */
export interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  readonly text: string;
}

/** A row of a sheet with at least one cell that has something in it. */
export interface RawRow {
  readonly number: number;
  readonly cells: readonly RawCell[];
}

/** The longest text of a cell. */
const LONGEST_TEXT = 32_767;

/** Reads rows off the tokens of a sheet, one after the other, and forgets them as it gives them. */
export class RowReader {
  readonly #columns: number;
  /** Rows so far: the number of one that does not say its own. */
  #rows = 0;
  #number: number | undefined;
  #column = 0;
  #cells: RawCell[] = [];
  #cell: { column: number; type: string; style: number; text: string } | undefined;
  /** The depth of `v`, or of the texts of an inline string, that are read; not of formulas and readings. */
  #isValue = false;
  #isReading = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Takes a token; answers with the row that it ends, if that has something in it. */
  take(token: XmlToken): RawRow | undefined {
    if (token.kind === 'text') {
      if (this.#cell && this.#isValue && !this.#isReading && this.#cell.text.length < LONGEST_TEXT)
        this.#cell.text += token.text.slice(0, LONGEST_TEXT);
      return undefined;
    }
    if (token.kind === 'open') this.#open(token);
    return token.kind === 'close' ? this.#close(token.name) : undefined;
  }

  #open({ name, attributes }: Extract<XmlToken, { kind: 'open' }>): void {
    if (name === 'row') {
      this.#rows += 1;
      this.#number = positive(attributeOf(attributes, 'r'));
      this.#column = 0;
      this.#cells = [];
    } else if (name === 'c') {
      this.#column = columnOf(attributeOf(attributes, 'r')) ?? this.#column + 1;
      if (this.#column > this.#columns) return;
      const type = attributeOf(attributes, 't') ?? 'n';
      const style = positive(attributeOf(attributes, 's')) ?? 0;
      this.#cell = { column: this.#column, type, style, text: '' };
    } else if (name === 'v' || name === 't') this.#isValue = true;
    else if (name === 'rPh') this.#isReading = true;
  }

  #close(name: string): RawRow | undefined {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'rPh') this.#isReading = false;
    else if (name === 'c') {
      const cell = this.#cell;
      this.#cell = undefined;
      if (cell && cell.text.trim() !== '') this.#cells.push(cell);
    } else if (name === 'row' && this.#cells.length > 0) {
      const row = { number: this.#number ?? this.#rows, cells: this.#cells };
      this.#cells = [];
      return row;
    }
    return undefined;
  }
}

/** Reads texts that cells share: those with these numbers, each in all its parts. */
export class SharedTextReader {
  readonly #wanted: ReadonlySet<number>;
  readonly #texts = new Map<number, string>();
  #index = -1;
  #isText = false;
  #isReading = false;

  constructor(wanted: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

  get texts(): ReadonlyMap<number, string> {
    return this.#texts;
  }

  take(token: XmlToken): void {
    if (token.kind === 'text') {
      if (!this.#isText || this.#isReading || !this.#wanted.has(this.#index)) return;
      const text = `${this.#texts.get(this.#index) ?? ''}${token.text}`;
      this.#texts.set(this.#index, text.slice(0, LONGEST_TEXT));
    } else if (token.name === 'si' && token.kind === 'open') this.#index += 1;
    else if (token.name === 't') this.#isText = token.kind === 'open';
    else if (token.name === 'rPh') this.#isReading = token.kind === 'open';
  }

  /** Tells whether all that is wanted has come. */
  isPast(last: number): boolean {
    return this.#index > last;
  }
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Reads the column off a cell's name: 1 for `A7`, 28 for `AB7`. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(name ?? '')?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}
