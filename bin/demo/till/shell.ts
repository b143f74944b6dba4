import { button, choice, make } from './dom.ts';
import { readSales } from './queue.ts';
import { changeLanguage, session, setSession } from './session.ts';
import { LANGUAGES, language, t } from './words.ts';

/* The frame of all screens: the bar with their names, the network status and the queue of sales. */

const PLACES = ['sell', 'holds', 'returns', 'shift'] as const;

type ScreenName = (typeof PLACES)[number] | 'signIn' | 'pay' | 'queue';

type Screens = Readonly<Record<ScreenName, (root: HTMLElement) => Promise<void> | void>>;

let screens: Screens | undefined;
let current: ScreenName = 'signIn';
let isAnswered = true;

/** Names the screens: they go to each other by name, so none imports another. */
export function register(named: Screens): void {
  screens = named;
}

export function go(name: ScreenName): void {
  current = name;
  document.documentElement.lang = { ru: 'ru', uz: 'uz-Cyrl', oz: 'uz-Latn' }[language()];
  const root = make('section', { className: name });
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  document.querySelector('main')?.replaceChildren(root);
  showBar();
  void screens?.[name](root);
}

function showBar(): void {
  const languages = choice(Object.entries(LANGUAGES));
  languages.value = language();
  // A screen is built again in another language: a payment would be lost.
  languages.disabled = current === 'pay';
  languages.ariaLabel = t('language');
  languages.onchange = () => void changeLanguage(languages.value).then(() => go(current));
  const places = PLACES.map((name) => {
    const place = button(t(name), () => go(name));
    if (name === current) place.ariaCurrent = 'page';
    return place;
  });
  const parts = [make('nav', {}, ...places), button('', () => go('queue'), 'state'), languages];
  const leave = button(t('signOut'), () => void setSession(undefined).then(() => go('signIn')), 'quiet');
  document.querySelector('header')?.replaceChildren(...(session() ? [...parts, leave] : [languages]));
  void showState();
}

/** Shows whether the service answered last, and how many sales wait or are refused. */
export async function showState(isAnsweredNow = isAnswered): Promise<void> {
  isAnswered = isAnsweredNow;
  const kept = await readSales();
  const waiting = kept.filter(({ reason }) => reason === null).length;
  const texts = [isAnswered ? t('online') : t('offline')];
  if (waiting > 0) texts.push(`${t('waiting')}: ${waiting}`);
  if (kept.length > waiting) texts.push(`${t('refused')}: ${kept.length - waiting}`);
  const place = document.querySelector('header .state');
  if (!place) return;
  place.textContent = texts.join(' · ');
  place.classList.toggle('away', !isAnswered);
  place.classList.toggle('bad', kept.length > waiting);
}
