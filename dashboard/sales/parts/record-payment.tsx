/** Records a payment of an issued document; it gets a receipt number. */
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Controller, useForm } from 'react-hook-form'
import type { SalesInvoice } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { type NewPayment, recordPayment } from '../queries.ts'
import { t } from '../texts.ts'
import { dayIn } from './dates.ts'
import { minorOf, typedMinor } from './money.ts'

export const METHODS = [
  'upi',
  'cash',
  'card',
  'netbanking',
  'bank_transfer',
  'cheque',
  'wallet',
  'other',
] as const
type Values = {
  amount: string
  tds: string
  paidOn: string
  method: (typeof METHODS)[number]
  reference: string
}

type Props = { invoice: SalesInvoice; onClose: () => void }

export function RecordPayment({ invoice, onClose }: Props) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { timezone } = useWorkspaceSession(workspace).workspace
  const { currency, balanceMinor, id } = invoice
  const form = useForm<Values>({
    defaultValues: {
      amount: typedMinor(balanceMinor, currency),
      tds: '',
      paidOn: dayIn(timezone, workspaceNow()),
      method: 'upi',
      reference: '',
    },
  })
  const { register, control, formState, setError } = form
  const { errors } = formState
  // If the request is sent again, the payment counts only once.
  const attempt = useAttempt()
  const { mutateAsync } = useMutation({
    mutationFn: ({ amount, tds, paidOn, method, reference }: Values) => {
      const body: NewPayment = {
        amountMinor: minorOf(amount, currency) ?? 0,
        tdsMinor: minorOf(tds || '0', currency) ?? 0,
        paidOn,
        method,
        ...(reference.trim() && { reference: reference.trim() }),
      }
      return attempt(body, (idempotencyKey) => recordPayment(id, body, { idempotencyKey }))
    },
  })
  const isAmount = (text: string) => minorOf(text || '0', currency) !== undefined || t('line.price.wrong')
  return (
    <EntryDialog
      form={form}
      onClose={onClose}
      title={t('payment.title')}
      description={t('payment.balance', { balance: invoice.balance })}
      action={t('payment.submit')}
      save={mutateAsync}
      onSaved={({ receiptNumber }) =>
        notify({ title: t('payment.recorded', { receipt: receiptNumber }), kind: 'good' })
      }
      onError={(error) =>
        showIssues(error, ['amount', 'tds', 'paidOn', 'reference'], setError, {
          amountMinor: 'amount',
          tdsMinor: 'tds',
        })
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('payment.amount', { currency })}
          inputMode="decimal"
          error={errors.amount?.message}
          {...register('amount', { validate: isAmount })}
        />
        <TextField
          label={t('payment.tds')}
          hint={t('payment.tds.hint')}
          inputMode="decimal"
          error={errors.tds?.message}
          {...register('tds', { validate: isAmount })}
        />
        <TextField
          label={t('payment.paidOn')}
          type="date"
          error={errors.paidOn?.message}
          {...register('paidOn', { required: t('payment.paidOn.missing') })}
        />
        <Controller
          control={control}
          name="method"
          render={({ field }) => (
            <SelectField
              label={t('payment.method')}
              value={field.value}
              onChange={field.onChange}
              choices={METHODS.map((value) => ({ value, label: t(`method.${value}`) }))}
            />
          )}
        />
        <TextField
          className="sm:col-span-2"
          label={t('field.reference')}
          hint={t('payment.reference.hint')}
          maxLength={64}
          error={errors.reference?.message}
          {...register('reference')}
        />
      </div>
    </EntryDialog>
  )
}
