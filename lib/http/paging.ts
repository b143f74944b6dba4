import type { Page } from '#lib/table/rows/request.ts';

const EACH_SIDE = 3;
const SHOWN_WHOLE = 8;

/**
 * Makes a page with its links and counts, as Laravel's paginator gives them. Part 1, "Shared conventions", 5.
 */
export function pageAnswer<Row>(url: URL, { rows, total, page, pageSize }: Page<Row>) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const link = (to: number) => pageUrl(url, to);
  const prev = page > 1 ? link(page - 1) : null;
  const next = page < last ? link(page + 1) : null;
  const first = rows.length > 0 ? (page - 1) * pageSize + 1 : null;
  return {
    data: [...rows],
    links: { first: link(1), last: link(last), prev, next },
    meta: {
      current_page: page,
      from: first,
      last_page: last,
      links: [
        { url: prev, label: '&laquo; Previous', active: false },
        ...pageWindow(page, last).map((each) =>
          each === undefined
            ? { url: null, label: '...', active: false }
            : { url: link(each), label: String(each), active: each === page },
        ),
        { url: next, label: 'Next &raquo;', active: false },
      ],
      path: `${url.origin}${url.pathname}`,
      per_page: pageSize,
      to: first === null ? null : first + rows.length - 1,
      total,
    },
  };
}

function pageUrl(url: URL, page: number): string {
  const to = new URL(url);
  to.searchParams.set('page', String(page));
  return to.href;
}

/** Lists the page numbers around the current one, with the ends; undefined stands for a gap. */
function pageWindow(page: number, last: number): (number | undefined)[] {
  if (last < SHOWN_WHOLE + EACH_SIDE * 2) return range(1, last);
  const reach = EACH_SIDE * 2;
  if (page <= reach + 1) return [...range(1, reach + 4), undefined, last - 1, last];
  if (page >= last - reach) return [1, 2, undefined, ...range(last - reach - 3, last)];
  return [1, 2, undefined, ...range(page - EACH_SIDE, page + EACH_SIDE), undefined, last - 1, last];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
