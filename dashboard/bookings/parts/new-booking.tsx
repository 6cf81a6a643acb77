/** Creates a booking: the service, a free time, the customer, and the advance. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Booking, BookingService, BookingSlot, Contact } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { ContactFinder } from '../../contacts/parts/contact-finder.tsx'
import { contactQuery } from '../../contacts/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatDuration } from '../../kit/duration.ts'
import { TextArea, TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Checkbox } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { formatClockIn } from '../../kit/zone-times.tsx'
import { createBooking, servicesQuery, staffQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CustomTime } from './custom-time.tsx'
import { bodyOf, type Draft, emptyDraft, type Faults, faultsOf, missingIn, seatsOf } from './draft.ts'
import { nextSlotsOf } from './next-slots.ts'
import { SlotPicker } from './slot-picker.tsx'

type Props = {
  zone: string
  day: string
  /** The time and the staff that are chosen first. */
  startAt?: string | undefined
  staffId?: string | undefined
  /** The contact to book for, if it is known. */
  contactId?: string | undefined
  onDone: (booking: Booking) => void
  onClose: () => void
}
type FormProps = Props & { services: BookingService[]; contact: Draft['contact'] }
/** Represents any free person. */
const ANY_STAFF = 'any'

export function NewBooking(props: Props) {
  const services = useQuery(servicesQuery)
  const { contactId } = props
  const contact = useQuery({ ...contactQuery(contactId ?? ''), enabled: contactId !== undefined })
  const bookable = services.data?.filter(({ active }) => active)
  if (bookable && bookable.length > 0 && !contact.isLoading)
    return <NewForm {...props} services={bookable} contact={contact.data && bookedFor(contact.data)} />
  return (
    <Dialog open onClose={props.onClose} title={t('new.title')}>
      {services.isPending || contact.isLoading ? (
        <SkeletonRows rows={3} />
      ) : services.isLoadingError ? (
        <Failed error={services.error} onRetry={() => void services.refetch()} />
      ) : (
        <p>{t('services.none.text')}</p>
      )}
    </Dialog>
  )
}

const bookedFor = ({ id, displayName, phone }: Contact): Draft['contact'] => ({
  id,
  name: displayName ?? phone ?? t('customer.none'),
})

function useNewBooking({ day, startAt, staffId, zone, onDone, onClose, services, contact }: FormProps) {
  const [draft, setDraft] = useState<Draft>(() => {
    const ofStaff = services.find(({ staffIds }) => staffIds.includes(staffId ?? ''))
    return {
      ...emptyDraft(day),
      serviceId: (ofStaff ?? services[0]!).id,
      staffId: ofStaff ? (staffId ?? '') : '',
      startAt,
      contact,
    }
  })
  const [faults, setFaults] = useState<Faults>({})
  const [next, setNext] = useState<BookingSlot[]>([])
  const service = services.find(({ id }) => id === draft.serviceId) ?? services[0]!
  // If the request is sent again, the booking is created only once.
  const attempt = useAttempt()
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const body = bodyOf(draft, service)
      return attempt(body, (idempotencyKey) => createBooking(body, idempotencyKey))
    },
    onSuccess: (booking) => {
      notify({
        title: t(booking.status === 'held' ? 'new.held' : 'new.made', {
          day: formatShortDay(localOf(zone, booking.startAt).day),
          time: formatClockIn(zone, booking.startAt),
        }),
        kind: 'good',
      })
      onClose()
      onDone(booking)
    },
    onError: (error) => {
      const offeredSlots = nextSlotsOf(error)
      setNext(offeredSlots ?? [])
      setFaults(offeredSlots ? {} : faultsOf(error))
    },
  })
  const change = (patch: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...patch }))
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'root' && !(name in patch))),
    )
    if ('startAt' in patch) setNext([])
  }
  const submit = () => {
    const missing = missingIn(draft)
    setFaults(missing)
    if (Object.keys(missing).length === 0) mutate()
  }
  return { draft, change, service, faults, next, submit, isPending }
}
type State = ReturnType<typeof useNewBooking>

function NewForm(props: FormProps) {
  const state = useNewBooking(props)
  const { faults, submit, isPending } = state
  return (
    <FormDialog
      open
      onClose={props.onClose}
      title={t('new.title')}
      action={t('new.submit')}
      cancel={t('back')}
      busy={isPending}
      fault={{ message: faults.root }}
      onSubmit={submit}
    >
      <ServiceFields {...props} state={state} />
      <CustomerFields state={state} />
      <OtherFields state={state} />
    </FormDialog>
  )
}

/** Chooses the service, the staff, and the time. */
function ServiceFields({ state, services, zone }: FormProps & { state: State }) {
  const { draft, change, service, faults, next } = state
  const { data: allStaff = [] } = useQuery(staffQuery)
  const staff = allStaff.filter(({ id, active }) => active && service.staffIds.includes(id))
  const time = {
    zone,
    day: draft.day,
    onDay: (day: string) => change({ day, startAt: undefined }),
    value: draft.startAt,
    error: faults.startAt,
    next,
  }
  return (
    <>
      <SelectField
        label={t('field.service')}
        value={draft.serviceId}
        onChange={(serviceId) =>
          change({ serviceId, staffId: '', startAt: undefined, partySize: '1', answers: {} })
        }
        choices={services.map(({ id, name, durationMinutes }) => ({
          value: id,
          label: name,
          hint: formatDuration(durationMinutes),
        }))}
      />
      {staff.length > 1 && (
        <SelectField
          label={t('field.staff')}
          value={draft.staffId || ANY_STAFF}
          onChange={(id) => change({ staffId: id === ANY_STAFF ? '' : id, startAt: undefined })}
          choices={[
            { value: ANY_STAFF, label: t('field.staff.any') },
            ...staff.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {service.capacity > 1 && (
        <TextField
          label={t('field.party')}
          type="number"
          min={1}
          max={service.capacity}
          value={draft.partySize}
          error={faults.partySize}
          onChange={(event) => change({ partySize: event.currentTarget.value, startAt: undefined })}
        />
      )}
      {draft.force ? (
        <CustomTime {...time} onChoose={(startAt) => change({ startAt })} />
      ) : (
        <SlotPicker
          {...time}
          filter={{ serviceId: service.id, staffId: draft.staffId, partySize: seatsOf(draft) }}
          onChoose={(startAt) => change({ startAt })}
        />
      )}
      <Checkbox
        label={t('field.force')}
        checked={draft.force}
        onChange={(force) => change({ force, startAt: undefined })}
      />
    </>
  )
}

/** Chooses an existing contact, or asks for number and name. */
function CustomerFields({ state: { draft, change, faults } }: { state: State }) {
  const [isFinding, setFinding] = useState(false)
  const { contact } = draft
  return (
    <>
      {contact ? (
        <div className="flex items-center gap-3">
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {contact.name}
          </span>
          <Button size="sm" onClick={() => change({ contact: undefined })}>
            {t('contact.remove')}
          </Button>
        </div>
      ) : (
        <>
          <Button icon={UserRound} className="self-start" onClick={() => setFinding(true)}>
            {t('contact.choose')}
          </Button>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t('field.phone')}
              type="tel"
              value={draft.phone}
              error={faults.phone}
              onChange={(event) => change({ phone: event.currentTarget.value })}
            />
            <TextField
              label={t('field.name')}
              value={draft.name}
              error={faults.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          </div>
        </>
      )}
      <TextField
        label={t('field.email')}
        type="email"
        value={draft.email}
        error={faults.email}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <ContactFinder
        open={isFinding}
        onClose={() => setFinding(false)}
        onChoose={(chosen) => change({ contact: bookedFor(chosen) })}
      />
    </>
  )
}

function OtherFields({ state: { draft, change, service, faults } }: { state: State }) {
  return (
    <>
      {service.questions.map(({ label }) => (
        <TextField
          key={label}
          label={label}
          value={draft.answers[label] ?? ''}
          error={faults[`answers.${label}`]}
          onChange={(event) => change({ answers: { ...draft.answers, [label]: event.currentTarget.value } })}
        />
      ))}
      {service.advance && (
        <SelectField
          label={t('field.advance')}
          value={draft.advance}
          onChange={(advance) => change({ advance })}
          choices={(['request', 'waive'] as const).map((value) => ({ value, label: t(`advance.${value}`) }))}
        />
      )}
      <TextArea
        label={t('fact.notes')}
        value={draft.notes}
        error={faults.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
      <Checkbox
        label={t('field.notify')}
        checked={draft.notify}
        onChange={(checked) => change({ notify: checked })}
      />
    </>
  )
}
