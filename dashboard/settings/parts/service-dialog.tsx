import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { Controller, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import type { BookingService } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { staffQuery } from '../../bookings/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Checkbox, Switch } from '../../kit/switch.tsx'
import { minorOf } from '../../sales/parts/money.ts'
import { withConfirmation } from '../../shell/confirm.ts'
import { businessHoursQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ADVANCES, bodyOf, COUNTS, PLACES, POLICIES, type ServiceValues, valuesOf } from './service-shape.ts'

type Props = { service: BookingService | undefined; currency: string; onClose: () => void }
type Form = UseFormReturn<ServiceValues>

const GRID = 'grid items-start gap-4 sm:grid-cols-2'
/** The fields that can show the server's errors. */
const NAMES = [
  ...COUNTS,
  'name',
  'description',
  'priceMinor',
  'taxRate',
  'hsn',
  'advance',
  'location',
] as const

export function ServiceDialog({ service, currency, onClose }: Props) {
  const form = useForm<ServiceValues>({ defaultValues: valuesOf(service, currency) })
  const save = async (values: ServiceValues) => {
    const body = bodyOf(values, currency)
    return service
      ? call('PATCH /booking-services/{id}', { params: { id: service.id }, body })
      : call('POST /booking-services', { body })
  }
  return (
    <EntryDialog
      form={form}
      wide
      title={t(service ? 'services.change' : 'services.add')}
      save={(values) => withConfirmation(() => save(values))}
      onSaved={() => reportSaved(t('services.saved'), ['bookingSetup'])}
      onError={(error) => showIssues(error, NAMES, form.setError)}
      onClose={onClose}
    >
      <MainFields form={form} />
      <Price form={form} currency={currency} />
      <Staff form={form} />
      <Questions form={form} />
      <Controller
        control={form.control}
        name="active"
        render={({ field }) => (
          <Switch label={t('services.active')} checked={field.value} onChange={field.onChange} />
        )}
      />
    </EntryDialog>
  )
}

/** Edits a service's name, duration, and place. */
function MainFields({ form: { register, control, formState } }: { form: Form }) {
  const { errors } = formState
  return (
    <>
      <TextField label={t('services.name')} autoFocus error={errors.name?.message} {...register('name')} />
      <TextArea
        label={t('services.description')}
        error={errors.description?.message}
        {...register('description')}
      />
      <div className={GRID}>
        {COUNTS.map((name) => (
          <TextField
            key={name}
            label={t(`services.${name}`)}
            hint={name === 'capacity' ? t('services.capacity.hint') : undefined}
            inputMode="numeric"
            error={errors[name]?.message}
            {...register(name)}
          />
        ))}
        <Controller
          control={control}
          name="locationKind"
          render={({ field }) => (
            <SelectField
              label={t('services.locationKind')}
              value={field.value}
              onChange={field.onChange}
              choices={PLACES.map((value) => ({ value, label: t(`services.location.${value}`) }))}
            />
          )}
        />
        <TextField
          label={t('services.location')}
          error={errors.location?.message}
          {...register('location')}
        />
      </div>
    </>
  )
}

function Price({ form, currency }: { form: Form; currency: string }) {
  const { register, control, watch, formState } = form
  const { errors } = formState
  const advanceKind = watch('advanceKind')
  const isAmount = (text: string) =>
    minorOf(text.trim() || '0', currency) !== undefined || t('services.amount.wrong')
  return (
    <div className={GRID}>
      <TextField
        label={t('services.priceMinor', { currency })}
        inputMode="decimal"
        error={errors.priceMinor?.message}
        {...register('priceMinor', { validate: isAmount })}
      />
      <TextField
        label={t('services.taxRate')}
        inputMode="decimal"
        error={errors.taxRate?.message}
        {...register('taxRate')}
      />
      <TextField label={t('services.hsn')} error={errors.hsn?.message} {...register('hsn')} />
      <Controller
        control={control}
        name="advanceKind"
        render={({ field }) => (
          <SelectField
            label={t('services.advance')}
            value={field.value}
            onChange={field.onChange}
            choices={ADVANCES.map((value) => ({ value, label: t(`services.advance.${value}`) }))}
          />
        )}
      />
      {advanceKind !== 'none' && (
        <>
          <TextField
            label={t(advanceKind === 'percent' ? 'services.advance.percentOf' : 'services.advance.amountOf', {
              currency,
            })}
            inputMode="decimal"
            error={errors.advance?.message}
            {...register('advance')}
          />
          <Controller
            control={control}
            name="refundPolicy"
            render={({ field }) => (
              <SelectField
                label={t('services.refundPolicy')}
                value={field.value}
                onChange={field.onChange}
                choices={POLICIES.map((value) => ({ value, label: t(`services.${value}`) }))}
              />
            )}
          />
        </>
      )}
    </div>
  )
}

/** Shows when a service without staff can be booked. */
function OpeningHoursNote() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { data: hours } = useQuery(businessHoursQuery(workspace))
  if (!hours) return null
  return hours.updatedAt === null ? (
    <Callout kind="warn">{t('services.noHours')}</Callout>
  ) : (
    <Callout>{t('services.openingHours')}</Callout>
  )
}

function Staff({ form: { control } }: { form: Form }) {
  const { data: staff = [] } = useQuery(staffQuery)
  const chosen = useWatch({ control, name: 'staffIds' })
  if (staff.length === 0) return <OpeningHoursNote />
  return (
    <Controller
      control={control}
      name="staffIds"
      render={({ field: { value, onChange } }) => (
        <fieldset className="flex flex-col gap-1">
          <legend className="text-sm font-medium">{t('services.staff')}</legend>
          <p className="text-sm text-ink-3">{t('services.staff.hint')}</p>
          <div className="mt-1 flex flex-wrap gap-x-6">
            {staff.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={value.includes(id)}
                onChange={(isOn) => onChange(isOn ? [...value, id] : value.filter((other) => other !== id))}
              />
            ))}
          </div>
          {chosen.length === 0 && <OpeningHoursNote />}
        </fieldset>
      )}
    />
  )
}

function Questions({ form: { control } }: { form: Form }) {
  return (
    <Controller
      control={control}
      name="questions"
      render={({ field: { value, onChange } }) => (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1 text-sm font-medium">{t('services.questions')}</legend>
          {value.map(({ label, required }, index) => {
            const number = index + 1
            const change = (patch: Partial<(typeof value)[number]>) =>
              onChange(
                value.map((question, place) => (place === index ? { ...question, ...patch } : question)),
              )
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: questions have only their place as an identity during editing
              <div key={index} className="flex flex-wrap items-end gap-x-4 gap-y-1">
                <TextField
                  className="min-w-48 flex-1"
                  label={t('services.question', { number })}
                  value={label}
                  onChange={(event) => change({ label: event.currentTarget.value })}
                />
                <Checkbox
                  label={t('services.question.required', { number })}
                  checked={required}
                  onChange={(isOn) => change({ required: isOn })}
                />
                <IconButton
                  icon={X}
                  label={t('services.question.remove', { number })}
                  onClick={() => onChange(value.filter((_, place) => place !== index))}
                />
              </div>
            )
          })}
          <Button
            size="sm"
            icon={Plus}
            className="self-start"
            onClick={() => onChange([...value, { label: '', required: false }])}
          >
            {t('services.question.add')}
          </Button>
        </fieldset>
      )}
    />
  )
}
