import { worker } from '#lib/http/worker.ts';
import { FinishMessage, finishStocktake } from '#lib/trade/stocktake/finish.ts';

/** Brings shelves to what counts have set them to. */
export const handler = worker({ message: FinishMessage, run: finishStocktake });
