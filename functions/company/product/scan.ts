import { endpoint } from '#lib/http/endpoint.ts';
import { Scan, ScanQuery, scan } from '#lib/trade/scan/scan.ts';

export const GET = endpoint({
  right: 'company.product.scan',
  query: ScanQuery,
  response: Scan,
  note:
    'Finds the product of a scanned code, the first that fits: barcode, further barcode or pack, label of ' +
    'scales, tracking code (by the product number in it), PLU. `price` and `amount` are those of a sale now, ' +
    'null if it would be refused. Send control characters of tracking codes percent-encoded: `%1D`. 404 ' +
    '`scan.unknown` if nothing fits.',
  run: ({ actor, query }) => scan(actor, query),
});
