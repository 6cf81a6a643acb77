import { useMutation } from '@tanstack/react-query'
import type { PaymentRequest } from '../../../sdk/api.ts'
import { Confirm } from '../../kit/dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { cancelRequest } from '../queries.ts'
import { t } from '../texts.ts'

type Props = { request: PaymentRequest | undefined; onClose: () => void }

/** Asks for confirmation before a request is cancelled. */
export function CancelRequest({ request, onClose }: Props) {
  const order = request?.referenceId ?? ''
  const { mutate, isPending } = useMutation({
    mutationFn: cancelRequest,
    onSuccess: () => notify({ title: t('cancel.done', { order }), kind: 'good' }),
    onError: notifyError,
    onSettled: onClose,
  })
  return (
    <Confirm
      open={request !== undefined}
      onClose={onClose}
      title={t('cancel.title', { order })}
      description={t('cancel.text')}
      action={t('cancel.action')}
      onConfirm={() => request && mutate(request.id)}
      busy={isPending}
      danger
    />
  )
}
