/** Shows the payments of a document, with their receipts. */
import { useMutation } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import type { SalesInvoice, SalesPayment } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { Table } from '../../kit/table.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { voidPayment } from '../queries.ts'
import { t } from '../texts.ts'
import { formatDate } from './dates.ts'
import { formatMinor } from './money.ts'
import { ReasonDialog } from './reason-dialog.tsx'

export function Payments({ invoice, isAdmin }: { invoice: SalesInvoice; isAdmin: boolean }) {
  const [voiding, setVoiding] = useState<SalesPayment>()
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) => voidPayment(invoice.id, voiding!.id, reason),
    onSuccess: () => notify({ title: t('void.done'), kind: 'good' }),
    onError: notifyError,
    onSettled: () => setVoiding(undefined),
  })
  const { payments, currency } = invoice
  if (payments.length === 0) return <p className="text-ink-2">{t('payments.none')}</p>
  return (
    <>
      <Table
        label={t('payments')}
        rows={payments}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'receipt',
            title: t('payments.receipt'),
            cell: ({ receiptNumber, paidOn, voidedAt, voidReason }) => (
              <span className="flex flex-col items-start">
                <span className="font-medium">{receiptNumber}</span>
                <span className="text-sm text-ink-3 sm:hidden">{formatDate(paidOn)}</span>
                {voidedAt && <Badge tone="bad">{t('payments.void')}</Badge>}
                {voidReason && <span className="text-sm text-ink-3">{voidReason}</span>}
              </span>
            ),
          },
          {
            id: 'day',
            title: t('payment.paidOn'),
            hideBelow: 'sm',
            cell: ({ paidOn }) => formatDate(paidOn),
          },
          {
            id: 'method',
            title: t('payment.method'),
            hideBelow: 'sm',
            cell: ({ method, reference }) => (
              <span className="flex flex-col">
                <span>{t(`method.${method}`)}</span>
                {reference && <span className="text-sm text-ink-3">{reference}</span>}
              </span>
            ),
          },
          {
            id: 'amount',
            title: t('payments.amount'),
            end: true,
            cell: ({ amountMinor, tdsMinor, voidedAt }) => (
              <span className={classes('whitespace-nowrap', voidedAt && 'text-ink-3 line-through')}>
                {formatMinor(amountMinor, currency)}
                {tdsMinor > 0 && (
                  <span className="block text-sm text-ink-3">
                    {t('payments.tds', { amount: formatMinor(tdsMinor, currency) })}
                  </span>
                )}
              </span>
            ),
          },
          ...(isAdmin
            ? [
                {
                  id: 'actions',
                  title: <span className="sr-only">{t('payments.actions')}</span>,
                  end: true,
                  cell: (payment: SalesPayment) =>
                    payment.voidedAt === null && (
                      <IconButton
                        icon={Ban}
                        size="sm"
                        label={t('void.of', { receipt: payment.receiptNumber })}
                        onClick={() => setVoiding(payment)}
                      />
                    ),
                },
              ]
            : []),
        ]}
      />
      {voiding && (
        <ReasonDialog
          title={t('void.title', { receipt: voiding.receiptNumber })}
          description={t('void.text')}
          action={t('void.action')}
          busy={isPending}
          onClose={() => setVoiding(undefined)}
          onConfirm={mutate}
        />
      )}
    </>
  )
}
