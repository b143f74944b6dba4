import { parseAmount } from './cart.ts';
import { t } from './words.ts';

/* The elements of the page. */

export type Child = Node | string;
type Tags = HTMLElementTagNameMap;

/** Makes an element: `make('p', { className: 'hint' }, '46 000')`. */
export function make<K extends keyof Tags>(tag: K, own: Partial<Tags[K]> = {}, ...parts: readonly Child[]) {
  const element: Tags[K] = Object.assign(document.createElement(tag), own);
  element.append(...parts);
  return element;
}

export function button(text: string, onclick: () => void, className = ''): HTMLButtonElement {
  return make('button', { type: 'button', className, onclick }, text);
}

export function submitButton(text: string): HTMLButtonElement {
  return make('button', { className: 'main' }, text);
}

/** Makes an input with its label; errors of the path `name` are shown below it. */
export function field(label: string, name: string, properties: Partial<HTMLInputElement> = {}) {
  const input = make('input', { name, autocomplete: 'off', ...properties });
  return { input, label: labelInput(label, input, name) };
}

/** Makes a field for a number as people type it; another text is an error at once, and stops its form. */
export function numberField(text: string, name: string, value = '', decimals = 2) {
  const { input, label } = field(text, name, { inputMode: 'decimal', placeholder: '0', value });
  const readAmount = () => parseAmount(input.value, decimals) ?? 0;
  const check = () => {
    input.setCustomValidity(parseAmount(input.value, decimals) === undefined ? t('noNumber') : '');
    label.querySelector('.problem')?.replaceChildren(input.validationMessage);
  };
  input.oninput = check;
  check();
  return { input, label, readAmount };
}

function labelInput(label: string, input: HTMLElement, path: string): HTMLElement {
  return make('div', {}, make('label', {}, label, input), problemPlace(path));
}

/** Makes the place for errors of a path; the empty path is for errors without a field. */
export function problemPlace(path: string): HTMLElement {
  const place = make('span', { className: 'problem' });
  place.dataset['path'] = path;
  return place;
}

export function choice(options: readonly (readonly [value: string, label: string])[]): HTMLSelectElement {
  return make('select', {}, ...options.map(([value, label]) => make('option', { value }, label)));
}

export function choiceField(label: string, name: string, options: Parameters<typeof choice>[0]) {
  const input = choice(options);
  return { input, label: labelInput(label, input, name) };
}

export function title(text: string): HTMLElement {
  return make('h1', {}, text, problemPlace(''));
}

export function list(rows: readonly Node[], nothing = t('nothing')): HTMLUListElement {
  return make('ul', {}, ...(rows.length > 0 ? rows : [make('li', { className: 'hint' }, nothing)]));
}

/** Makes a row of a list: title, note, an amount in 1/100, and actions. */
export function row(title: string, note: string, amount: number, ...actions: readonly Child[]) {
  const what = make('span', { className: 'what' }, title, make('small', {}, note));
  return make('li', {}, what, make('b', {}, money(amount)), ...actions);
}

/** Writes an amount of 1/100 as people read it: `12 500`, `12 500,50`. */
export function money(amount: number): string {
  const minimumFractionDigits = amount % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat('ru', { minimumFractionDigits }).format(amount / 100);
}
