/** Edits the business hours: the week, and special days. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CalendarPlus, Copy, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/request.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { formatLocale } from '../../texts.ts'
import { businessHoursQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { HoursOfDay } from './hours-of-day.tsx'
import {
  DAYS,
  faultOf,
  faultOfDay,
  formOf,
  type Hours,
  type HoursForm,
  holidayFault,
  hoursOf,
  type Range,
} from './hours-shape.ts'
import { ZoneField } from './zone-field.tsx'

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })
/** 1 January 2024 was a Monday. */
const nameOfDay = (day: number): string => weekday.format(Date.UTC(2024, 0, day))
const WORKING_DAYS = 5

export const Fault = ({ fault }: { fault: string | undefined }) =>
  fault ? (
    <p role="alert" className="mt-1 text-sm text-bad">
      {fault}
    </p>
  ) : null

type Part = { form: HoursForm; onChange: (patch: Partial<HoursForm>) => void; isTried: boolean }

const faultText = (fault: ReturnType<typeof faultOf>): string | undefined =>
  fault && t(`hours.fault.${fault}`)

export function Week({ form, onChange, isTried }: Part) {
  const setDay = (index: number, ranges: Range[]) =>
    onChange({ week: form.week.map((before, place) => (place === index ? ranges : before)) })
  return (
    <ul className="max-w-2xl divide-y">
      {DAYS.map((day, index) => {
        const ranges = form.week[index]!
        const name = nameOfDay(day)
        return (
          <li key={day} className="flex flex-wrap items-start gap-x-6 gap-y-1 py-2 max-sm:pb-3">
            <h3 className="flex h-9 w-28 shrink-0 items-center font-medium">{name}</h3>
            <div className="min-w-64 flex-1">
              <HoursOfDay dayName={name} ranges={ranges} onChange={(next) => setDay(index, next)} />
              <Fault fault={isTried ? faultText(faultOfDay(form.week, index)) : undefined} />
            </div>
            {index === 0 && ranges.length > 0 && (
              <Button
                size="sm"
                variant="ghost"
                icon={Copy}
                onClick={() =>
                  onChange({
                    week: form.week.map((before, place) => (place < WORKING_DAYS ? [...ranges] : before)),
                  })
                }
              >
                {t('hours.copy')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function Holidays({ form, onChange, isTried }: Part) {
  const { holidays } = form
  const change = (index: number, patch: Partial<HoursForm['holidays'][number]>) =>
    onChange({
      holidays: holidays.map((holiday, place) => (place === index ? { ...holiday, ...patch } : holiday)),
    })
  return (
    <>
      {holidays.length > 0 && (
        <ul className="mb-3 max-w-2xl divide-y">
          {holidays.map(({ date, ranges }, index) => {
            const fault = holidayFault(holidays, index)
            const name = date || t('hours.holiday')
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: days have only their place as an identity during editing
              <li key={index} className="flex flex-wrap items-start gap-x-6 gap-y-2 py-3">
                <div>
                  <input
                    type="date"
                    value={date}
                    aria-label={t('hours.date')}
                    onChange={(event) => change(index, { date: event.target.value })}
                    className="h-9 rounded-md border border-edge bg-surface-1 px-2.5 pointer-coarse:h-11"
                  />
                  <Fault fault={isTried && fault ? t(`hours.fault.${fault}`) : undefined} />
                </div>
                <div className="min-w-64 flex-1">
                  <HoursOfDay
                    dayName={name}
                    ranges={ranges}
                    onChange={(next) => change(index, { ranges: next })}
                  />
                  <Fault fault={isTried ? faultText(faultOf(ranges)) : undefined} />
                </div>
                <IconButton
                  icon={Trash2}
                  label={t('hours.holiday.remove', { date: name })}
                  onClick={() => onChange({ holidays: holidays.filter((_, place) => place !== index) })}
                />
              </li>
            )
          })}
        </ul>
      )}
      <Button
        icon={CalendarPlus}
        onClick={() => onChange({ holidays: [...holidays, { date: '', ranges: [] }] })}
      >
        {t('hours.holiday.add')}
      </Button>
    </>
  )
}

function HoursFields({ hours, mayChange }: { hours: Hours; mayChange: boolean }) {
  const [form, setForm] = useState(() => formOf(hours))
  const [isTried, setTried] = useState(false)
  const [base, setBase] = useState(hours)
  const isChanged = JSON.stringify(form) !== JSON.stringify(formOf(base))
  const { question } = useUnsaved(isChanged)
  if (hours !== base) {
    // A teammate saved the hours: unsaved changes here stay.
    setBase(hours)
    if (!isChanged) setForm(formOf(hours))
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (await call('PUT /business-hours', { body: hoursOf(form) })).businessHours,
    onSuccess: async (next) => {
      setForm(formOf(next))
      setTried(false)
      await reportSaved(t('hours.saved'), ['businessHours'])
    },
  })
  const onChange = (patch: Partial<HoursForm>) => setForm((before) => ({ ...before, ...patch }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const isWrong =
      form.week.some((_, index) => faultOfDay(form.week, index)) ||
      form.holidays.some((holiday, index) => faultOf(holiday.ranges) || holidayFault(form.holidays, index))
    if (!isWrong) mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={!mayChange} className="contents">
        {question}
        <FormFault fault={error} />
        <Section title={t('hours.title')} description={t('hours.text')}>
          <ZoneField
            className="mb-2 max-w-xs"
            label={t('timezone')}
            hint={t('hours.zone.hint')}
            value={form.timeZone}
            onChange={(timeZone) => onChange({ timeZone })}
          />
          <Week form={form} onChange={onChange} isTried={isTried} />
        </Section>
        <Section title={t('hours.holidays')} description={t('hours.holidays.text')}>
          <Holidays form={form} onChange={onChange} isTried={isTried} />
        </Section>
        {mayChange && (
          <SaveButton isChanged={isChanged} busy={isPending}>
            {t('save')}
          </SaveButton>
        )}
      </fieldset>
    </form>
  )
}

export function BusinessHours() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const { data: hours, error, isLoadingError, isPending, refetch } = useQuery(businessHoursQuery(workspace))
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return <HoursFields hours={hours} mayChange={hasRole(session.member.role, 'admin')} />
}
