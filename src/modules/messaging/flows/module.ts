import { routes } from '../../../core/endpoint.ts'
import { getFlows, postFlowSend } from './endpoints/flows.ts'
import {
  deleteFlow,
  getFlowAnswerSummary,
  getFlowAnswers,
  getOneFlow,
  patchFlow,
  postFlow,
  postFlowDeprecate,
  postFlowPublish,
} from './endpoints/forms.ts'

export const flows = {
  endpoints: routes({
    'GET /flows': getFlows,
    'POST /flows': postFlow,
    'GET /flows/:id': getOneFlow,
    'PATCH /flows/:id': patchFlow,
    'DELETE /flows/:id': deleteFlow,
    'POST /flows/:id/publish': postFlowPublish,
    'POST /flows/:id/deprecate': postFlowDeprecate,
    'GET /flows/:id/answers': getFlowAnswers,
    'GET /flows/:id/answers/summary': getFlowAnswerSummary,
    'POST /flows/:id/send': postFlowSend,
  }),
}
