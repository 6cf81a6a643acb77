/** Moves a booking to another free time, with the same or other staff. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Booking, BookingSlot } from '../../../sdk/api.ts'
import { FormFault } from '../../kit/callout.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { formatShortDay, lastDay, localOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { moveBooking, servicesQuery, staffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CustomTime } from './custom-time.tsx'
import { noticeMoved } from './moved-notice.ts'
import { nextSlotsOf } from './next-slots.ts'
import { SlotPicker } from './slot-picker.tsx'
import { customerOf } from './status.tsx'

type Props = {
  booking: Booking
  zone: string
  /** The day and the staff to start with, instead of those of the booking. */
  near?: { day: string; staffId: string | undefined } | undefined
  onClose: () => void
  onMoved: (movedBooking: Booking) => void
}

export function MoveBooking({ booking, zone, near, onClose, onMoved }: Props) {
  const { data: services = [] } = useQuery(servicesQuery)
  const { data: allStaff = [] } = useQuery(staffQuery)
  const service = services.find(({ id }) => id === booking.serviceId)
  const staff = allStaff.filter(({ id, active }) => active && service?.staffIds.includes(id))
  const [chosenStaffId, setStaffId] = useState(near?.staffId)
  const person = staff.find(({ id }) => id === chosenStaffId)
  const staffId = person?.id ?? booking.staff?.id ?? ''
  const [startAt, setStartAt] = useState<string>()
  const [day, setDay] = useState(() =>
    lastDay(near?.day ?? localOf(zone, booking.startAt).day, localOf(zone, workspaceNow()).day),
  )
  const [isForced, setForced] = useState(false)
  const [isTried, setTried] = useState(false)
  const [next, setNext] = useState<BookingSlot[]>([])
  const { mutate, isPending, error } = useMutation({
    mutationFn: (to: string) =>
      moveBooking(booking, { startAt: to, staff: person ?? booking.staff, force: isForced }),
    onSuccess: (movedBooking) => {
      noticeMoved(zone, booking, movedBooking)
      onMoved(movedBooking)
    },
    onError: (refusal) => setNext(nextSlotsOf(refusal) ?? []),
  })
  const choose = (to: string | undefined) => {
    setStartAt(to)
    setNext([])
  }
  const time = {
    zone,
    day,
    onDay: (to: string) => {
      setDay(to)
      choose(undefined)
    },
    value: startAt,
    onChoose: choose,
    error: isTried && !startAt ? t('slots.missing') : undefined,
    next,
  }
  const submit = () => (startAt ? mutate(startAt) : setTried(true))
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('move.title', { customer: customerOf(booking) })}
      description={t('move.text', {
        service: booking.service,
        day: formatShortDay(localOf(zone, booking.startAt).day),
        time: formatClockIn(zone, booking.startAt),
      })}
      actions={
        <DialogActions cancel={t('back')} onCancel={onClose} busy={isPending} onClick={submit}>
          {t('move.submit')}
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-4">
        <FormFault fault={next.length === 0 ? error : null} />
        {staff.length > 1 && (
          <SelectField
            label={t('field.staff')}
            value={staffId}
            onChange={(id) => {
              setStaffId(id)
              choose(undefined)
            }}
            choices={staff.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {isForced ? (
          <CustomTime {...time} />
        ) : (
          <SlotPicker
            {...time}
            filter={{ serviceId: booking.serviceId, staffId, partySize: booking.partySize }}
          />
        )}
        <Checkbox
          label={t('field.force')}
          checked={isForced}
          onChange={(checked) => {
            setForced(checked)
            choose(undefined)
          }}
        />
        <p className="text-sm text-ink-2">{t('untold')}</p>
      </div>
    </Dialog>
  )
}
