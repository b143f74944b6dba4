import { api, ask } from '../api.ts';
import { form } from '../attempt.ts';
import { refreshCopy } from '../copy.ts';
import { choiceField, field, make, submitButton } from '../dom.ts';
import { setSession } from '../session.ts';
import { go } from '../shell.ts';
import { t } from '../words.ts';

/* Signs in, and chooses desk and warehouse unless there is only one of each. */

/** Demo account of the local service. */
const IS_DEMO = ['127.0.0.1', 'localhost'].includes(location.hostname);
const GIVEN = IS_DEMO ? { username: 'cashier', password: 'Retail-2026' } : { username: '', password: '' };

export function signInScreen(root: HTMLElement): void {
  const username = field(t('username'), 'username', { value: GIVEN.username, autocomplete: 'username' });
  const type = IS_DEMO ? 'text' : 'password';
  const password = field(t('password'), 'password', { value: GIVEN.password, type });
  const enter = async () => {
    const body = { username: username.input.value, password: password.input.value };
    const { token } = await ask(api.POST('/common/auth/login', { body }));
    await choosePlaces(root, token);
  };
  const hint = make('p', { className: 'hint' }, IS_DEMO ? t('demo') : '');
  const submit = submitButton(t('signIn'));
  root.append(form(enter, make('h1', {}, t('desk')), hint, username.label, password.label, submit));
  submit.focus();
}

async function choosePlaces(root: HTMLElement, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const placesOf = async (label: string, name: string, type: 'cashbox' | 'stock') => {
    const call = api.GET('/common/public/records/{type}', { params: { path: { type } }, headers });
    const places = (await ask(call)).data.map(({ id, value }) => [`${id}`, value] as const);
    return choiceField(label, name, places);
  };
  const desk = await placesOf(t('desk'), 'cashbox_id', 'cashbox');
  const stock = await placesOf(t('stock'), 'stock_id', 'stock');
  const begin = async () => {
    const { id: user_id } = await ask(api.GET('/common/user/profile', { headers }));
    const [cashbox_id, stock_id] = [Number(desk.input.value), Number(stock.input.value)];
    await setSession({ token, user_id, cashbox_id, stock_id });
    await refreshCopy();
    const { data, settings } = await ask(api.GET('/company/trade/cashbox-shift/current'));
    go(settings.is_enabled && !data ? 'shift' : 'sell');
  };
  if (desk.input.length === 1 && stock.input.length === 1) return begin();
  root.replaceChildren(form(begin, desk.label, stock.label, submitButton(t('signIn'))));
}
