import * as z from 'zod';
import type { ServiceLine } from '#lib/trade/sale/record.ts';
import type { ReturnedService } from '#lib/trade/sale/returns-of.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { distinct, Id, optionalText } from '#lib/values/fields.ts';
import { ONE, quantity, type Units } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { shareOf, vatReturned } from '#lib/values/vat.ts';

/** Services of a sale to be returned. Part 5, 5A.1, 4. */
export const ServicesToReturn = distinct(
  'id',
  z
    .array(
      z.object({
        id: Id,
        reason_type: enumeration('return.reason', ['defective', 'not_match']),
        returned_quantity: quantity(8),
        comment: optionalText(1000),
      }),
    )
    .max(50),
);

type NamedServices = z.output<typeof ServicesToReturn> | null;

/** Line of a service with the quantity to be returned. */
interface Returning extends Pick<ReturnedService, 'reason_type' | 'comment'> {
  readonly line: ServiceLine;
  readonly quantity: Units;
}

/**
 * Returns the services that a body names, all remaining ones if it names none: amount, cost and VAT come back
 * by quantity. Unknown lines and quantities above the remainder go to `issues`. Part 5, 5A.1, 4.
 */
export function servicesToReturn(
  requested: NamedServices,
  services: readonly ServiceLine[],
  field: 'services' | 'returned_services',
  issues: ValidationIssues,
): ReturnedService[] {
  if (requested === null) {
    return services.flatMap((line) => {
      const quantity = remainderOfService(line);
      return quantity > 0 ? [giveBack({ line, quantity, reason_type: null, comment: null })] : [];
    });
  }
  const byId = new Map(services.map((line) => [line.id, line]));
  return requested.flatMap(({ id, returned_quantity: quantity, ...why }, index) => {
    const path = `${field}.${index}`;
    const line = byId.get(id);
    if (!line) issues.add(`${path}.id`, 'validation.not_found');
    if (!line) return [];
    const available = remainderOfService(line);
    const values = { available: available / ONE };
    if (quantity > available)
      issues.add(`${path}.returned_quantity`, { key: 'return.too_much', with: values });
    return [giveBack({ line, quantity, ...why })];
  });
}

function giveBack({ line, quantity, reason_type, comment }: Returning): ReturnedService {
  const { id, service_id, quantity: whole, returned_quantity: before } = line;
  const part = (sum: number) => shareOf(sum, before + quantity, whole);
  return {
    ...{ id, service_id, returned_quantity: quantity, reason_type, comment },
    amount: part(line.amount) - (line.refunded_amount ?? 0),
    cost: part(line.cost) - (line.returned_cost ?? 0),
    ...vatReturned(line, { before, quantity, whole }),
  };
}

/** Computes the services of a sale after a return. */
export function servicesAfter(
  services: readonly ServiceLine[],
  returned: readonly ReturnedService[],
): ServiceLine[] {
  const byId = new Map(returned.map((each) => [each.id, each]));
  return services.map((line) => {
    const back = byId.get(line.id);
    if (!back) return line;
    return {
      ...line,
      returned_quantity: line.returned_quantity + back.returned_quantity,
      refunded_amount: (line.refunded_amount ?? 0) + back.amount,
      returned_cost: (line.returned_cost ?? 0) + back.cost,
    };
  });
}

/** Returns the quantity of a service not yet returned. */
export function remainderOfService({
  quantity,
  returned_quantity,
}: Pick<ServiceLine, 'quantity' | 'returned_quantity'>): Units {
  return quantity - returned_quantity;
}
