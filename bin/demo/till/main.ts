import { Refusal, Unreachable } from './api.ts';
import { notify } from './attempt.ts';
import { loadCopy, refreshCopy } from './copy.ts';
import { sendQueue } from './queue.ts';
import { holdsScreen } from './screens/holds.ts';
import { payScreen } from './screens/pay.ts';
import { queueScreen } from './screens/queue.ts';
import { returnsScreen } from './screens/returns.ts';
import { sellScreen } from './screens/sell.ts';
import { shiftScreen } from './screens/shift.ts';
import { signInScreen } from './screens/sign-in.ts';
import { loadSession, session, setSession } from './session.ts';
import { go, register, showState } from './shell.ts';
import { t } from './words.ts';

/*
 * A till for the service of this address: an example to copy. Read `queue.ts` first, which keeps sales from
 * being lost, then `copy.ts`, by which it sells without a network; the rest is screens.
 */

register({
  ...{ signIn: signInScreen, sell: sellScreen, pay: payScreen, holds: holdsScreen },
  ...{ returns: returnsScreen, shift: shiftScreen, queue: queueScreen },
});
await loadSession();
document.querySelector('main')?.append(t('otherPage'));
// Two pages of a till would overwrite each other's cart: a second one waits.
await new Promise<void>((own) => void navigator.locks.request('till', () => new Promise(() => own())));
await loadSession();
await loadCopy();
void keepPage();
go(session() ? 'sell' : 'signIn');
for (;;) {
  if (session()) await goRound().catch(reportError);
  // The service answers thirty rounds a minute.
  await new Promise((resolve) => setTimeout(resolve, 3000));
}

/** Keeps the page itself with its files, so that a reload without a network finds them. */
async function keepPage(): Promise<void> {
  await navigator.serviceWorker.register('/till.worker.js', { scope: '/till' });
  const scripts = [...document.scripts].map(({ src }) => src);
  await (await caches.open('till')).addAll(['/till', ...scripts]);
}

async function goRound(): Promise<void> {
  const before = session();
  try {
    const gone = await sendQueue();
    await refreshCopy();
    await showState(true);
    if (gone > 0 && document.querySelector('main > .queue')) go('queue');
  } catch (error) {
    if (error instanceof Unreachable) return showState(false);
    if (!(error instanceof Refusal)) throw error;
    // An answer to the session before this one.
    if (session() !== before) return;
    if (error.status !== 401) return notify(error.message);
    await setSession(undefined);
    go('signIn');
  }
}
