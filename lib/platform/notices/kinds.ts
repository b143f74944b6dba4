/** Kind of due work for a desk with a refused sale where none waited. */
export const WAITING_SALE = 'refused-sale';

/** Kind of due work for a shift at the end of its working hours. */
export const OVERDUE_SHIFT = 'shift';
