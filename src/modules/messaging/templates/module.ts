import { routes } from '../../../core/endpoint.ts'
import {
  deleteTemplate,
  getOneTemplate,
  getTemplates,
  postTemplate,
  postTemplatesLint,
  postTemplatesSync,
} from './endpoints.ts'
import { templateApproved, templateCategoryChanged, templateRejected } from './events.ts'
import { keepSample, settleTemplate } from './jobs.ts'
import { resultsSource } from './work/results-source.ts'

export const templates = {
  endpoints: routes({
    'GET /templates': getTemplates,
    'POST /templates': postTemplate,
    'GET /templates/:id': getOneTemplate,
    'DELETE /templates/:id': deleteTemplate,
    'POST /templates/lint': postTemplatesLint,
    'POST /templates/sync': postTemplatesSync,
  }),
  events: [templateApproved, templateRejected, templateCategoryChanged],
  jobs: [settleTemplate, keepSample],
  sources: {
    'template-results': resultsSource,
  },
}
