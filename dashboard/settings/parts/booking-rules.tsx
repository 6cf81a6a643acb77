/** Edits the booking rules: the customers' page, holds, and reminders. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { BookingSettings } from '../../../sdk/api.ts'
import { ApiError } from '../../api/errors.ts'
import { parseCount } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { bookingSettingsQuery, type SettingsBody } from '../../bookings/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import { CopyField } from '../../kit/copy.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { approvedTemplatesQuery } from '../../sales/queries.ts'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved, useWrite } from '../use-write.ts'
import { ColorField } from './color.tsx'

const READS = ['bookingSetup']
const MAX_REMINDERS = 3
/** A day before: the default of a new reminder. */
const FIRST_MINUTES = '1440'

type Reminder = { minutes: string; templateId: string }
type Form = {
  publicPage: boolean
  pageColor: string | null
  holdMinutes: string
  maxOpen: string
  reminders: Reminder[]
}

const formOf = (settings: BookingSettings): Form => ({
  publicPage: settings.publicPage,
  pageColor: settings.pageColor,
  holdMinutes: String(settings.holdMinutes),
  maxOpen: String(settings.maxOpenPerCustomer),
  reminders: settings.reminders.map(({ minutesBefore, templateId }) => ({
    minutes: String(minutesBefore),
    templateId,
  })),
})

const bodyOf = ({ publicPage, pageColor, holdMinutes, maxOpen, reminders }: Form): SettingsBody => ({
  publicPage,
  pageColor,
  holdMinutes: parseCount(holdMinutes),
  maxOpenPerCustomer: parseCount(maxOpen),
  reminders: reminders.map(({ minutes, templateId }) => ({ minutesBefore: parseCount(minutes), templateId })),
})

export function BookingRules() {
  const { data, error, isLoadingError, refetch } = useQuery(bookingSettingsQuery)
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return data ? <RulesForm settings={data} /> : <SkeletonRows rows={3} />
}

function RulesForm({ settings }: { settings: BookingSettings }) {
  const [form, setForm] = useState(() => formOf(settings))
  const [base, setBase] = useState(settings)
  const isChanged = JSON.stringify(form) !== JSON.stringify(formOf(base))
  const { question } = useUnsaved(isChanged)
  if (settings !== base) {
    // A teammate saved the settings: unsaved changes here stay.
    setBase(settings)
    if (!isChanged) setForm(formOf(settings))
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withConfirmation(() => call('PUT /booking-settings', { body: bodyOf(form) })),
    onSuccess: async ({ bookingSettings }) => {
      setForm(formOf(bookingSettings))
      await reportSaved(t('bookings.saved'), READS)
    },
  })
  const issues = error instanceof ApiError ? error.issues : []
  const faultOf = (path: string) => issues.find((issue) => issue.path === path)?.message
  const change = (patch: Partial<Form>) => setForm((before) => ({ ...before, ...patch }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Section title={t('bookings.title')} description={t('bookings.text')}>
      <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-4">
        {question}
        <FormFault fault={error} />
        <Switch
          label={t('bookings.publicPage')}
          checked={form.publicPage}
          onChange={(publicPage) => change({ publicPage })}
        />
        {settings.url && <PageAddress url={settings.url} />}
        {form.publicPage && (
          <PageColor color={form.pageColor} onChange={(pageColor) => change({ pageColor })} />
        )}
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label={t('bookings.holdMinutes')}
            hint={t('bookings.holdMinutes.hint')}
            inputMode="numeric"
            error={faultOf('holdMinutes')}
            value={form.holdMinutes}
            onChange={(event) => change({ holdMinutes: event.currentTarget.value })}
          />
          <TextField
            label={t('bookings.maxOpen')}
            hint={t('bookings.maxOpen.hint')}
            inputMode="numeric"
            error={faultOf('maxOpenPerCustomer')}
            value={form.maxOpen}
            onChange={(event) => change({ maxOpen: event.currentTarget.value })}
          />
        </div>
        <Reminders
          reminders={form.reminders}
          faultOf={faultOf}
          onChange={(reminders) => change({ reminders })}
        />
        <SaveButton isChanged={isChanged} busy={isPending}>
          {t('save')}
        </SaveButton>
      </form>
    </Section>
  )
}

/** The color that the field shows first. */
const FIRST_COLOR = '#1d4ed8'

/** Edits the color of the customers' page. Without one, the page has Parley's. */
function PageColor({ color, onChange }: { color: string | null; onChange: (color: string | null) => void }) {
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('bookings.pageColor')}
        checked={color !== null}
        onChange={(isOn) => onChange(isOn ? FIRST_COLOR : null)}
      />
      {color !== null && (
        <ColorField
          hint={t('bookings.pageColor.hint')}
          value={color}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/** Shows the address of the page on which customers book. */
function PageAddress({ url }: { url: string }) {
  const [isAsking, setAsking] = useState(false)
  const renew = useWrite({
    work: () => call('POST /booking-settings/link'),
    done: () => t('bookings.link.renewed'),
    reads: READS,
    after: () => setAsking(false),
  })
  return (
    <>
      <CopyField text={url} label={t('bookings.url')} />
      <Button className="self-start" onClick={() => setAsking(true)}>
        {t('bookings.link')}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('bookings.link.title')}
        description={t('bookings.link.text')}
        action={t('bookings.link')}
        onConfirm={() => renew.mutate(undefined)}
        busy={renew.isPending}
        danger
      />
    </>
  )
}

type RemindersProps = {
  reminders: readonly Reminder[]
  faultOf: (path: string) => string | undefined
  onChange: (reminders: Reminder[]) => void
}

function Reminders({ reminders, faultOf, onChange }: RemindersProps) {
  const { data: templates = [] } = useQuery(approvedTemplatesQuery)
  const change = (index: number, patch: Partial<Reminder>) =>
    onChange(reminders.map((reminder, place) => (place === index ? { ...reminder, ...patch } : reminder)))
  const [first] = templates
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('bookings.reminders')}</legend>
      {reminders.length === 0 && (
        <p className="text-ink-2">{t(first ? 'bookings.reminders.none' : 'bookings.reminder.noTemplate')}</p>
      )}
      {reminders.map(({ minutes, templateId }, index) => {
        const number = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: reminders have only their place as an identity
          <div key={index} className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_auto]">
            <TextField
              label={t('bookings.reminder.minutes', { number })}
              inputMode="numeric"
              error={faultOf(`reminders.${index}.minutesBefore`)}
              value={minutes}
              onChange={(event) => change(index, { minutes: event.currentTarget.value })}
            />
            <SelectField
              label={t('bookings.reminder.template', { number })}
              value={templateId}
              onChange={(id) => change(index, { templateId: id })}
              choices={templates.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <IconButton
              icon={X}
              label={t('bookings.reminder.remove', { number })}
              onClick={() => onChange(reminders.filter((_, place) => place !== index))}
            />
          </div>
        )
      })}
      {first && reminders.length < MAX_REMINDERS && (
        <Button
          size="sm"
          icon={Plus}
          className="self-start"
          onClick={() => onChange([...reminders, { minutes: FIRST_MINUTES, templateId: first.id }])}
        >
          {t('bookings.reminder.add')}
        </Button>
      )}
    </fieldset>
  )
}
