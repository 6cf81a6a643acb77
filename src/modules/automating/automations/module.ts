import { routes } from '../../../core/endpoint.ts'
import {
  deleteOneAutomation,
  getAutomationResults,
  getAutomationRuns,
  getAutomations,
  getOneAutomation,
  patchAutomation,
  postAutomation,
  postAutomationTest,
} from './endpoints.ts'
import { callWebhook } from './jobs.ts'
import { automationRetentionSource } from './work/automation-retention-source.ts'
import { automationTimesSource } from './work/automation-times-source.ts'
import { automationsSource } from './work/automations-source.ts'

export const automations = {
  endpoints: routes({
    'GET /automations': getAutomations,
    'POST /automations': postAutomation,
    'POST /automations/test': postAutomationTest,
    'GET /automations/:id': getOneAutomation,
    'PATCH /automations/:id': patchAutomation,
    'DELETE /automations/:id': deleteOneAutomation,
    'GET /automations/:id/runs': getAutomationRuns,
    'GET /automations/:id/results': getAutomationResults,
  }),
  jobs: [callWebhook],
  sources: {
    'automation-times': automationTimesSource,
    automations: automationsSource,
    'automation-retention': automationRetentionSource,
  },
}
