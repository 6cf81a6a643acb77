/** Requests a payment from the customer of a chat. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Controller, useForm } from 'react-hook-form'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { notify } from '../../kit/toasts.tsx'
import { requestPayment } from '../queries.ts'
import { t } from '../texts.ts'
import { formatPaise } from './amount.ts'
import {
  type Draft,
  EXPIRIES,
  emptyDraft,
  isOrder,
  MAX_TOTAL_PAISE,
  requestOf,
  shippingOf,
  totalOf,
} from './draft.ts'
import { Items } from './items.tsx'

const [MAX_ORDER, MAX_BODY] = [35, 1_024]

type Props = { conversationId: string; workspace: string; open: boolean; onClose: () => void }

function usePaymentRequest({ conversationId, workspace, onClose }: Props) {
  const form = useForm<Draft>({ defaultValues: emptyDraft() })
  const { setError, reset } = form
  const navigate = useNavigate()
  const attempt = useAttempt()
  const mutation = useMutation({
    mutationFn: (draft: Draft) => {
      const body = requestOf(draft, conversationId)
      return attempt(body, (idempotencyKey) => requestPayment(body, idempotencyKey))
    },
    onSuccess: (request, draft) => {
      // An order has only one request: for a used number, the server returns the existing request.
      const isOther = request.conversationId !== conversationId || request.totalPaise !== totalOf(draft)
      if (isOther || request.status !== 'created')
        return setError('referenceId', { message: t('ask.order.used') }, { shouldFocus: true })
      reset(emptyDraft())
      onClose()
      notify({
        title: t('ask.done', { amount: formatPaise(request.totalPaise) }),
        kind: 'good',
        action: {
          label: t('ask.done.open'),
          run: () => void navigate({ to: `/w/${workspace}/payments/${request.id}` } as never),
        },
      })
    },
    onError: (error) => showIssues(error, ['referenceId', 'body'], setError),
  })
  return { form, mutation }
}

export default function RequestPayment(props: Props) {
  const { form, mutation } = usePaymentRequest(props)
  const { register, control, handleSubmit, formState, watch } = form
  const { errors } = formState
  const total = totalOf({ items: watch('items'), shipping: watch('shipping') })
  const isTooMuch = total > MAX_TOTAL_PAISE
  const submit = handleSubmit((draft) => !isTooMuch && mutation.mutate(draft))
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={t('ask.title')}
      description={t('ask.text')}
      actions={
        <>
          <strong className="me-auto self-center tabular-nums">
            {t('ask.total', { amount: formatPaise(total) })}
          </strong>
          <DialogActions
            onCancel={props.onClose}
            busy={mutation.isPending}
            disabled={isTooMuch}
            onClick={() => void submit()}
          >
            {t('ask.submit')}
          </DialogActions>
        </>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        <Items {...form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('ask.shipping')}
            inputMode="decimal"
            error={errors.shipping?.message}
            {...register('shipping', {
              validate: (text) => shippingOf(text) !== undefined || t('ask.shipping.wrong'),
            })}
          />
          <Controller
            control={control}
            name="expiry"
            render={({ field }) => (
              <SelectField
                label={t('ask.expiry')}
                value={field.value}
                onChange={field.onChange}
                choices={EXPIRIES.map((value) => ({ value, label: t(`expiry.${value}`) }))}
              />
            )}
          />
        </div>
        {isTooMuch && (
          <Callout kind="bad" role="alert">
            {t('ask.tooMuch', { amount: formatPaise(MAX_TOTAL_PAISE) })}
          </Callout>
        )}
        <TextField
          label={t('ask.order')}
          hint={t('ask.order.hint')}
          maxLength={MAX_ORDER}
          error={errors.referenceId?.message}
          {...register('referenceId', { validate: (text) => isOrder(text) || t('ask.order.wrong') })}
        />
        <TextArea
          label={t('ask.message')}
          hint={t('ask.message.hint')}
          maxLength={MAX_BODY}
          error={errors.body?.message}
          {...register('body')}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
