/** Controls an existing campaign. */
import { useMutation } from '@tanstack/react-query'
import type { Broadcast } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import type { CampaignAction } from './parts/state.tsx'
import { t } from './texts.ts'

export type VariantName = NonNullable<Broadcast['test']>['variants'][number]['name']

const ROUTES = {
  start: 'POST /broadcasts/{id}/start',
  pause: 'POST /broadcasts/{id}/pause',
  resume: 'POST /broadcasts/{id}/resume',
  cancel: 'DELETE /broadcasts/{id}',
} as const satisfies Record<CampaignAction, string>
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

/** Sends a variant to the rest of the audience. */
export function useChoice(id: string) {
  return useMutation({
    mutationFn: (variant: VariantName) =>
      call('POST /broadcasts/{id}/choose', { params: { id }, body: { variant } }),
    onSuccess: (_answer, name) => {
      void queryClient.invalidateQueries({ queryKey: ['broadcast'] })
      void queryClient.invalidateQueries({ queryKey: ['recipient'] })
      notify({ title: t('chosen', { name }), kind: 'good' })
    },
    onError: notifyError,
  })
}
