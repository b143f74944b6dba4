import { readerOf } from '#bin/verify/frame/reader.ts';
import { newMeter, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { saleSheet } from '#lib/trade/sale/sheet.ts';

// An export in a process of its own, as in a function of its own, so that its memory is separate; it reports
// its usage.

const familyId = Number(process.argv[2]);

const query = { where: [], sort: { field: 'id', descending: true }, page: 1, pageSize: 20, embeds: [] };

const meter = newMeter();
const began = performance.now();
const given = await runInContext({ meter }, () =>
  saleSheet.give({ actor: readerOf(familyId), query, locale: 'ru', at: Date.now() }),
);
process.send?.({
  seconds: Math.round((performance.now() - began) / 100) / 10,
  cpu_seconds: Math.round(process.cpuUsage().user / 100_000) / 10,
  rss_most_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  units: Math.round(unitsOf(meter)),
  given: 'location' in given ? given.location : `${given.content.length} bytes`,
});
