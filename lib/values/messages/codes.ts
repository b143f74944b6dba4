import { type RefusalCode, ru } from './ru.ts';
import { isRefusalCode } from './say.ts';

/** All codes of refusals. */
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(ru).filter(isRefusalCode);
