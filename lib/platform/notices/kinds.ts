/** Kind of due work for a desk with its first waiting refused sale. */
export const WAITING_SALE = 'refused-sale';

/** Kind of due work for a shift at the end of its working hours. */
export const OVERDUE_SHIFT = 'shift';
