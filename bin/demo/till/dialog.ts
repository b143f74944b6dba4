import { button, type Child, make } from './dom.ts';
import { t } from './words.ts';

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
