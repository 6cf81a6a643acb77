/** Controls an existing campaign. */
import { useMutation } from '@tanstack/react-query'
import type { Broadcast } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { t } from './texts.ts'

const ROUTES = {
  start: 'POST /broadcasts/{id}/start',
  pause: 'POST /broadcasts/{id}/pause',
  resume: 'POST /broadcasts/{id}/resume',
  cancel: 'DELETE /broadcasts/{id}',
} as const
export type CampaignAction = keyof typeof ROUTES

const ACTIONS: Record<Broadcast['status'], readonly CampaignAction[]> = {
  draft: ['start', 'cancel'],
  scheduled: ['start', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  completed: [],
  cancelled: [],
}

/**
 * Returns whether messages of the campaign wait for their number's rate: until the last is submitted, it can
 * be stopped.
 */
const isWaiting = ({ counts: { queued, sent, failed } }: Pick<Broadcast, 'counts'>): boolean =>
  queued > sent + failed

/** Returns the actions that are possible now. */
export const actionsOf = (campaign: Pick<Broadcast, 'status' | 'counts'>): readonly CampaignAction[] =>
  campaign.status === 'completed' && isWaiting(campaign) ? ACTIONS.running : ACTIONS[campaign.status]

export function useCampaign(id: string) {
  return useMutation({
    mutationFn: (steering: CampaignAction) => call(ROUTES[steering], { params: { id } }),
    onSuccess: (_answer, steering) => {
      void queryClient.invalidateQueries({ queryKey: ['broadcast'] })
      void queryClient.invalidateQueries({ queryKey: ['recipient'] })
      notify({ title: t(`done.${steering}`), kind: 'good' })
    },
    onError: notifyError,
  })
}
