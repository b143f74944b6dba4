import * as z from 'zod';

/** How the desks of a family sell; a family has those of its main company. Decisions, 9 (97). */
export const SaleSettings = z.object({
  /** Set if no quantity may have more digits than its unit. Decisions, 9 (112). */
  is_accuracy_checked: z.boolean(),
});

type SaleSettings = Readonly<z.output<typeof SaleSettings>>;

/** The settings as a main company keeps them: those that it has chosen. */
export const ChosenSaleSettings = SaleSettings.partial();

/** Input to change them; what is left out stays. */
export const SaleSettingsInput = SaleSettings.partial();

/** Reads how a main company's family sells, until it chooses otherwise. */
export function saleSettingsOf({
  sale_settings,
}: {
  readonly sale_settings?: z.output<typeof ChosenSaleSettings> | undefined;
}): SaleSettings {
  const { is_accuracy_checked = false } = sale_settings ?? {};
  return { is_accuracy_checked };
}

/** Changes them. */
export function mergeSaleSettings(
  before: SaleSettings,
  { is_accuracy_checked = before.is_accuracy_checked }: z.output<typeof SaleSettingsInput>,
): SaleSettings {
  return { is_accuracy_checked };
}
