/** Changes an endpoint. */
import { useMutation } from '@tanstack/react-query'
import { useAttempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { withConfirmation } from '../shell/confirm.ts'
import { notifyError } from '../shell/notify-error.ts'
import { refreshDeliveries, storeWebhook, type Webhook, webhooksQuery } from './queries.ts'
import { t } from './texts.ts'

async function setActive(webhook: Webhook, active: boolean): Promise<void> {
  const response = await call('PATCH /webhooks/{id}', { params: { id: webhook.id }, body: { active } })
  storeWebhook(response.webhook)
}

export function useWebhook(webhook: Webhook, onGone: () => void) {
  const params = { id: webhook.id }
  const pause = useMutation({
    mutationFn: async (active: boolean) => {
      await setActive(webhook, active)
      notify({
        title: t(active ? 'resumed' : 'paused'),
        kind: 'good',
        action: { label: t('undo'), run: () => void setActive(webhook, !active).catch(notifyError) },
      })
    },
    onError: notifyError,
  })
  const test = useMutation({
    mutationFn: () => call('POST /webhooks/{id}/test', { params }),
    onSuccess: () => {
      refreshDeliveries()
      notify({ title: t('tested'), kind: 'good' })
    },
    onError: notifyError,
  })
  const attempt = useAttempt()
  const rotate = useMutation({
    mutationFn: async () => {
      const response = await attempt('rotate', (idempotencyKey) =>
        withConfirmation(() => call('POST /webhooks/{id}/rotate', { params, idempotencyKey })),
      )
      storeWebhook(response.webhook)
      return response.secret
    },
    onError: notifyError,
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /webhooks/{id}', { params }),
    onSuccess: () => {
      queryClient.setQueryData(webhooksQuery.queryKey, (list) => list?.filter(({ id }) => id !== webhook.id))
      notify({ title: t('deleted'), kind: 'good' })
      onGone()
    },
    onError: notifyError,
  })
  return { pause, test, rotate, remove }
}
