import { worker } from '#lib/http/worker.ts';
import { FinishMessage, finishCount } from '#lib/trade/count/finish.ts';

/** Brings shelves to what counts have set them to. */
export const handler = worker({ message: FinishMessage, run: finishCount });
