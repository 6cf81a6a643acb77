import { routes } from '../../../core/endpoint.ts'
import { getAnalytics, getAnswerTimes, getFailureCauses } from './endpoints.ts'
import { countsSource } from './work/counts-source.ts'

export const analytics = {
  endpoints: routes({
    'GET /analytics': getAnalytics,
  }),
  dashboard: routes({
    'GET /analytics/failures': getFailureCauses,
    'GET /analytics/answers': getAnswerTimes,
  }),
  sources: {
    counts: countsSource,
  },
}
