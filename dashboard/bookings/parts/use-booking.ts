/** Changes a booking, and shows a notice. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Booking } from '../../../sdk/api.ts'
import { callFile } from '../../api/request.ts'
import { saveFile } from '../../kit/save-file.ts'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { type BookingPatch, changeBooking, invoiceBooking, renewLink } from '../queries.ts'
import { t } from '../texts.ts'

type Change = { body: BookingPatch; notice: string; undo?: BookingPatch }

export function useBooking({ id }: Pick<Booking, 'id'>, { workspace }: { workspace: string }) {
  const navigate = useNavigate()
  const change = useMutation({
    mutationFn: ({ body }: Change) => changeBooking(id, body),
    onSuccess: (_, { notice, undo }) =>
      notify({
        title: notice,
        kind: 'good',
        ...(undo && {
          action: {
            label: t('undo'),
            run: () => void changeBooking(id, undo).then(() => notify({ title: t('undone') }), notifyError),
          },
        }),
      }),
    onError: notifyError,
  })
  return {
    change,
    invoice: useMutation({
      mutationFn: () => invoiceBooking(id),
      onSuccess: (invoice) => {
        notify({ title: t(invoice.number ? 'invoice.issued' : 'invoice.made'), kind: 'good' })
        void navigate({ to: `/w/${workspace}/invoices/${invoice.id}` } as never)
      },
      onError: notifyError,
    }),
    link: useMutation({
      mutationFn: () => renewLink(id),
      onSuccess: () => notify({ title: t('link.renewed'), kind: 'good' }),
      onError: notifyError,
    }),
    file: useMutation({
      mutationFn: async () => {
        const file = await callFile('GET /bookings/{id}', { params: { id }, query: { format: 'ics' } })
        saveFile(t('ics.name'), file)
      },
      onError: notifyError,
    }),
  }
}
