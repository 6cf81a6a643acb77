import { routes } from '../../../core/endpoint.ts'
import { getActivity, getMe, getPhoneNumbers, getTeam, postHistorySync } from './endpoints.ts'
import { activityRetentionSource } from './work/activity-retention-source.ts'
import { keptCallbacksSource } from './work/kept-callbacks-source.ts'
import { numberChecksSource } from './work/number-checks-source.ts'
import { trialsSource } from './work/trials-source.ts'

export const workspaces = {
  endpoints: routes({
    'GET /me': getMe,
    'GET /phone-numbers': getPhoneNumbers,
    'POST /phone-numbers/:id/history-sync': postHistorySync,
    'GET /team': getTeam,
    'GET /activity': getActivity,
  }),
  sources: {
    'number-checks': numberChecksSource,
    'activity-retention': activityRetentionSource,
    trials: trialsSource,
    'kept-callbacks': keptCallbacksSource,
  },
}
