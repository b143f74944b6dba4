import { NodeHttpHandler } from '@smithy/node-http-handler';
import { giveUpAfter, PATIENT_MS } from '#lib/values/silence.ts';
import { requestContext } from './request-context.ts';

/**
 * Request handler of an SDK client. Within a call it gives up a socket that was idle for `quickMs`. Work
 * without a deadline, such as a program of an operator, waits longer for a busy service.
 */
export class PatientHandler extends NodeHttpHandler {
  readonly #patient = new NodeHttpHandler(giveUpAfter(PATIENT_MS));

  constructor(quickMs: number) {
    super(giveUpAfter(quickMs));
  }

  override handle(...given: Parameters<NodeHttpHandler['handle']>) {
    return requestContext().deadline ? super.handle(...given) : this.#patient.handle(...given);
  }
}
