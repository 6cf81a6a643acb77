/** Edits a bookable person or room: weekly hours, special days, and time off. */
import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { BookingStaff } from '../../../sdk/api.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import type { StaffBody } from '../../bookings/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { Fault, Holidays, Week } from './hours.tsx'
import { faultOf, faultOfDay, formOf, type HoursForm, holidayFault, hoursOf } from './hours-shape.ts'
import { MemberField } from './member-field.tsx'
import { ZoneField } from './zone-field.tsx'

const KINDS = ['person', 'resource'] as const
/** Times off as the values of `datetime-local` inputs, in the person's time zone. */
type TimeOff = { from: string; to: string }
type StaffForm = {
  name: string
  kind: (typeof KINDS)[number]
  memberId: string | null
  hours: HoursForm
  timeOff: TimeOff[]
  active: boolean
}

const WORKING_DAYS = [1, 2, 3, 4, 5]
const firstHours = (timeZone: string) => ({
  timeZone,
  weekly: WORKING_DAYS.map((day) => ({ day, from: '09:00', to: '18:00' })),
  overrides: [],
})

const formOfStaff = (staff: BookingStaff | undefined, timeZone: string): StaffForm => ({
  name: staff?.name ?? '',
  kind: staff?.kind ?? 'person',
  memberId: staff?.memberId ?? null,
  hours: formOf(staff ?? firstHours(timeZone)),
  timeOff: (staff?.timeOff ?? []).map(({ startAt, endAt }) => ({
    from: toZoneInput(staff!.timeZone, startAt),
    to: toZoneInput(staff!.timeZone, endAt),
  })),
  active: staff?.active ?? true,
})

function bodyOf({ name, kind, memberId, hours, timeOff, active }: StaffForm): StaffBody {
  const { timeZone, weekly, overrides = [] } = hoursOf(hours)
  return {
    name: name.trim(),
    kind,
    // A room has no member.
    memberId: kind === 'person' ? memberId : null,
    timeZone,
    weekly,
    overrides,
    timeOff: timeOff.map(({ from, to }) => ({
      startAt: fromZoneInput(timeZone, from) as string,
      endAt: fromZoneInput(timeZone, to) as string,
    })),
    active,
  }
}

/** Leaves a former member unchanged. */
function changeOf(form: StaffForm, before: BookingStaff): Partial<StaffBody> {
  const { memberId, ...body } = bodyOf(form)
  return memberId === before.memberId ? body : { ...body, memberId }
}

const isOffWrong = ({ from, to }: TimeOff): boolean => from === '' || to === '' || from >= to
const isWrong = ({ name, hours: { week, holidays }, timeOff }: StaffForm): boolean =>
  name.trim() === '' ||
  week.some((_, index) => faultOfDay(week, index)) ||
  holidays.some((holiday, index) => faultOf(holiday.ranges) || holidayFault(holidays, index)) ||
  timeOff.some(isOffWrong)

/** Returns the server's error, with the field it belongs to. */
const refusalOf = (error: unknown): string => {
  const [issue] = error instanceof ApiError ? error.issues : []
  return issue?.path ? `${issue.path}: ${issue.message}` : messageOf(error)
}

type Props = { staff: BookingStaff | undefined; timeZone: string; onClose: () => void }

export function StaffDialog({ staff, timeZone, onClose }: Props) {
  const [form, setForm] = useState(() => formOfStaff(staff, timeZone))
  const [isTried, setTried] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      withConfirmation(() =>
        staff
          ? call('PATCH /booking-staff/{id}', { params: { id: staff.id }, body: changeOf(form, staff) })
          : call('POST /booking-staff', { body: bodyOf(form) }),
      ),
    onSuccess: async () => {
      onClose()
      await reportSaved(t('staff.saved', { name: form.name.trim() }), ['bookingSetup'])
    },
  })
  const change = (patch: Partial<StaffForm>) => setForm((before) => ({ ...before, ...patch }))
  const changeHours = (patch: Partial<HoursForm>) =>
    setForm((before) => ({ ...before, hours: { ...before.hours, ...patch } }))
  const submit = () => {
    setTried(true)
    if (!isWrong(form)) mutate()
  }
  const part = { form: form.hours, onChange: changeHours, isTried }
  return (
    <FormDialog
      open
      onClose={onClose}
      wide
      title={staff ? t('staff.change', { name: staff.name }) : t('staff.add')}
      action={t('save')}
      busy={isPending}
      fault={error ? { message: refusalOf(error) } : undefined}
      onSubmit={submit}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('staff.name')}
          autoFocus
          value={form.name}
          error={isTried && form.name.trim() === '' ? t('staff.name.missing') : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <SelectField
          label={t('staff.kind')}
          value={form.kind}
          onChange={(kind) => change({ kind })}
          choices={KINDS.map((value) => ({ value, label: t(`staff.${value}`) }))}
        />
        {form.kind === 'person' && (
          <MemberField value={form.memberId} onChange={(memberId) => change({ memberId })} />
        )}
        <ZoneField
          label={t('timezone')}
          hint={t('hours.zone.hint')}
          value={form.hours.timeZone}
          onChange={(zone) => changeHours({ timeZone: zone })}
        />
        <Switch label={t('staff.active')} checked={form.active} onChange={(active) => change({ active })} />
      </div>
      <Part title={t('staff.week')}>
        <Week {...part} />
      </Part>
      <Part title={t('hours.holidays')} text={t('hours.holidays.text')}>
        <Holidays {...part} />
      </Part>
      <Part title={t('staff.timeOff')} text={t('staff.timeOff.text')}>
        <TimesOff timesOff={form.timeOff} isTried={isTried} onChange={(timeOff) => change({ timeOff })} />
      </Part>
    </FormDialog>
  )
}

const Part = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="text-md font-semibold">{title}</legend>
    {text && <p className="mb-2 text-ink-2">{text}</p>}
    {children}
  </fieldset>
)

type OffProps = { timesOff: readonly TimeOff[]; isTried: boolean; onChange: (timesOff: TimeOff[]) => void }

function TimesOff({ timesOff, isTried, onChange }: OffProps) {
  const change = (index: number, patch: Partial<TimeOff>) =>
    onChange(timesOff.map((timeOff, place) => (place === index ? { ...timeOff, ...patch } : timeOff)))
  return (
    <>
      {timesOff.map((timeOff, index) => {
        const number = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: times off have only their place as an identity
          <div key={index} className="mb-3">
            <div className="flex flex-wrap items-end gap-3">
              <TextField
                type="datetime-local"
                label={t('staff.timeOff.from', { number })}
                value={timeOff.from}
                onChange={(event) => change(index, { from: event.currentTarget.value })}
              />
              <TextField
                type="datetime-local"
                label={t('staff.timeOff.to', { number })}
                value={timeOff.to}
                onChange={(event) => change(index, { to: event.currentTarget.value })}
              />
              <IconButton
                icon={X}
                label={t('staff.timeOff.remove', { number })}
                onClick={() => onChange(timesOff.filter((_, place) => place !== index))}
              />
            </div>
            <Fault fault={isTried && isOffWrong(timeOff) ? t('staff.timeOff.missing') : undefined} />
          </div>
        )
      })}
      <Button size="sm" icon={Plus} onClick={() => onChange([...timesOff, { from: '', to: '' }])}>
        {t('staff.timeOff.add')}
      </Button>
    </>
  )
}
