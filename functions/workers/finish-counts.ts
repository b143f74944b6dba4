import { worker } from '#lib/http/worker.ts';
import { FinishMessage, finishStocktake } from '#lib/trade/stocktake/finish.ts';

/** Applies completed stocktakes to stock levels. */
export const handler = worker({ message: FinishMessage, run: finishStocktake });
