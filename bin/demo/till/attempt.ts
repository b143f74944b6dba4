import { Refusal, Unreachable } from './api.ts';
import { button, type Child, make, problemPlace } from './dom.ts';
import { t } from './words.ts';

/* A tap and its results: success, a refusal, which is shown at its fields, or no response; dialogs. */

/** Makes a form whose submission is an attempt. */
export function form(work: () => Promise<void>, ...children: readonly Child[]): HTMLFormElement {
  const element = make('form', { noValidate: true }, problemPlace(''), ...children);
  element.onsubmit = (event) => {
    event.preventDefault();
    void attempt(element, work);
  };
  return element;
}

/** Does a piece of work once at a time, unless an input is invalid, and shows its problems within `root`. */
export async function attempt(root: HTMLElement, work: () => Promise<void>): Promise<void> {
  if (root.ariaBusy === 'true' || root.querySelector('input:invalid')) return;
  root.ariaBusy = 'true';
  const places = [...root.querySelectorAll<HTMLElement>('.problem[data-path]')];
  for (const place of places) place.textContent = '';
  try {
    await work();
  } catch (error) {
    for (const [path, text] of problemsOf(error)) {
      const place = placeOf(path, places);
      if (place) place.append(`${text} `);
      else notify(text);
    }
  } finally {
    root.ariaBusy = 'false';
  }
}

function problemsOf(error: unknown): [path: string, text: string][] {
  if (error instanceof Unreachable) return [['', t('needsNetwork')]];
  if (!(error instanceof Refusal)) {
    reportError(error);
    return [['', String(error)]];
  }
  const problems = Object.entries(error.errors);
  if (problems.length === 0) return [['', error.message]];
  return problems.map(([path, texts]) => [path, texts.join(' ')]);
}

/** Finds the place of a path, or of the nearest above: `transactions.0` for `transactions.0.amount`. */
function placeOf(path: string, places: readonly HTMLElement[]): HTMLElement | undefined {
  const place = places.find(({ dataset }) => dataset['path'] === path);
  return place || path === '' ? place : placeOf(path.replace(/(^|\.)[^.]*$/, ''), places);
}

/** Shows a text for some seconds, and has screen readers read it. */
export function notify(text: string): void {
  const place = make('p', { id: 'notice', role: 'status' }, text);
  document.getElementById('notice')?.replaceWith(place);
  setTimeout(() => Object.assign(place, { hidden: true }), 4000);
}

/** Opens a dialog that is gone when it is closed. */
export function openDialog(title: string, ...children: readonly Child[]): HTMLDialogElement {
  const dialog = make('dialog', {}, make('h2', {}, title), ...children);
  dialog.append(button(t('close'), () => dialog.close(), 'quiet'));
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Shows a page of the service as it would be printed, and prints it on demand. */
export async function printPage(page: Promise<string>): Promise<void> {
  const frame = make('iframe', { srcdoc: await page, title: t('print') });
  const print = button(t('print'), () => frame.contentWindow?.print(), 'main');
  openDialog(t('print'), frame, print);
  print.focus();
}
