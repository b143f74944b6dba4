import { attributeOf, type XmlToken } from './xml.ts';

/** A cell as stored in the sheet: its text, or a number, which may be an index of shared texts or a date. */
export interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  readonly text: string;
  readonly isUncalculated: boolean;
}

/** A row of a sheet, or a part of one, with at least one filled cell. */
export interface RawRow {
  readonly number: number;
  readonly cells: readonly RawCell[];
}

/** The longest text of a cell. */
export const LONGEST_TEXT = 32_767;

/** A cell in progress. */
interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
  hasFormula: boolean;
  hasValue: boolean;
}

/**
 * Reads rows from the tokens of a sheet, one after the other, and drops each once it is returned. Rows and
 * cells are placed by their names, or after the last one without a name. Contract 9.136.
 */
export class RowReader {
  readonly #columns: number;
  #number = 0;
  #column = 0;
  #cells: RawCell[] = [];
  #cell: OpenCell | undefined;
  /** True within an inline string. */
  #isInline = false;
  #isValue = false;
  #isReading = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Takes a token; returns the row that it ends, if that has filled cells. Throws on a malformed name. */
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
      this.#number = rowOf(attributeOf(attributes, 'r')) ?? this.#number + 1;
      this.#column = 0;
      this.#cells = [];
    } else if (name === 'c') {
      this.#column = columnOf(attributeOf(attributes, 'r')) ?? this.#column + 1;
      if (this.#column > this.#columns) return;
      const type = attributeOf(attributes, 't') ?? 'n';
      const style = Number(attributeOf(attributes, 's') ?? 0);
      this.#cell = { column: this.#column, type, style, text: '', hasFormula: false, hasValue: false };
    } else if (this.#cell) this.#openIn(this.#cell, name);
  }

  /** The value of an inline string is only in `is`, that of any other cell only in `v`. */
  #openIn(cell: OpenCell, name: string): void {
    if (name === 'v') cell.hasValue = true;
    if (name === 'v') this.#isValue = cell.type !== 'inlineStr';
    else if (name === 'is') this.#isInline = cell.type === 'inlineStr';
    else if (name === 't') this.#isValue = this.#isInline;
    else if (name === 'rPh') this.#isReading = true;
    else if (name === 'f') cell.hasFormula = true;
  }

  #close(name: string): RawRow | undefined {
    if (name === 'v' || name === 't') this.#isValue = false;
    else if (name === 'is') this.#isInline = false;
    else if (name === 'rPh') this.#isReading = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row' && this.#cells.length > 0) {
      const row = { number: this.#number, cells: this.#cells };
      this.#cells = [];
      return row;
    }
    return undefined;
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell) return;
    const { column, type, style, text, hasFormula, hasValue } = cell;
    const isBlank = text.trim() === '';
    // A formula may result in an empty text, but then the cell states so.
    const isUncalculated = hasFormula && isBlank && !(type === 'str' && hasValue);
    if (isBlank && !isUncalculated) return;
    if (this.#cells.length >= this.#columns) throw new Error('The sheet has cells of one name');
    this.#cells.push({ column, type, style, text, isUncalculated });
  }
}

function rowOf(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  if (!/^[1-9]\d{0,7}$/.test(name)) throw new Error('The sheet has a row whose number is none');
  return Number(name);
}

/** Returns the column of a cell's name: 1 for `A7`, 28 for `AB7`. */
function columnOf(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const letters = /^([A-Z]{1,3})[1-9]\d{0,7}$/.exec(name.toUpperCase())?.[1];
  if (letters === undefined) throw new Error('The sheet has a cell whose name is none');
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}
