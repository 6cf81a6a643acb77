/** Edits the sales settings of the workspace: the seller, the taxes, and the numbers of documents. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Controller, type Path, useForm } from 'react-hook-form'
import { parseCount, showIssues } from '../../api/form.ts'
import { useWorkspaceSession, withModule } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { type SalesSettings, type SalesSettingsBody, salesSettingsQuery, saveSettings } from '../queries.ts'
import { t } from '../texts.ts'

const SCHEMES = ['none', 'regular', 'composition'] as const
const HSN = ['0', '4', '6'] as const
const SERIES = ['invoice', 'proforma', 'quotation', 'receipt', 'voucher', 'creditNote'] as const
const SELLER = ['legalName', 'gstin', 'pan', 'email', 'phone', 'upiId'] as const
const ADDRESS = ['line1', 'line2', 'city', 'state', 'postalCode'] as const

type Values = {
  seller: Record<(typeof SELLER)[number] | (typeof ADDRESS)[number] | 'bank', string>
  taxScheme: (typeof SCHEMES)[number]
  currency: string
  pricesIncludeTax: boolean
  roundToUnit: boolean
  hsnDigits: (typeof HSN)[number]
  series: Record<(typeof SERIES)[number], { prefix: string; digits: string }>
  dueDays: string
  validDays: string
  terms: string
  booksLockedUntil: string
}

const toText = (value: string | number | null | undefined): string => String(value ?? '')

const valuesOf = (settings: SalesSettings): Values => {
  const { seller } = settings
  return {
    seller: {
      ...(Object.fromEntries(SELLER.map((name) => [name, toText(seller?.[name])])) as Values['seller']),
      ...(Object.fromEntries(
        ADDRESS.map((name) => [name, toText(seller?.address[name])]),
      ) as Values['seller']),
      bank: toText(seller?.bank),
    },
    taxScheme: settings.taxScheme,
    currency: settings.currency,
    pricesIncludeTax: settings.pricesIncludeTax,
    roundToUnit: settings.roundToUnit,
    hsnDigits: String(settings.hsnDigits) as Values['hsnDigits'],
    series: Object.fromEntries(
      SERIES.map((name) => [
        name,
        { prefix: settings.series[name].prefix, digits: String(settings.series[name].digits) },
      ]),
    ) as Values['series'],
    dueDays: toText(settings.dueDays),
    validDays: toText(settings.validDays),
    terms: toText(settings.terms),
    booksLockedUntil: toText(settings.booksLockedUntil),
  }
}

const orNull = (value: string): string | null => value.trim() || null
const countOrNull = (value: string): number | null => (value.trim() === '' ? null : Number(value))

/** Fields that the form does not contain stay as they were. */
function bodyOf(values: Values, before: SalesSettings): SalesSettingsBody {
  const { seller } = values
  const isSeller = Object.values(seller).some((value) => value.trim() !== '')
  return {
    ...before,
    seller: isSeller
      ? {
          ...before.seller,
          ...Object.fromEntries(SELLER.map((name) => [name, orNull(seller[name])])),
          legalName: seller.legalName.trim(),
          bank: orNull(seller.bank),
          address: {
            line1: seller.line1.trim(),
            line2: orNull(seller.line2),
            city: seller.city.trim(),
            state: seller.state.trim(),
            postalCode: seller.postalCode.trim(),
            country: before.seller?.address.country ?? 'IN',
          },
        }
      : null,
    taxScheme: values.taxScheme,
    currency: values.currency.trim().toUpperCase(),
    pricesIncludeTax: values.pricesIncludeTax,
    roundToUnit: values.roundToUnit,
    hsnDigits: Number(values.hsnDigits) as 0 | 4 | 6,
    series: Object.fromEntries(
      SERIES.map((name) => [
        name,
        { prefix: values.series[name].prefix.trim(), digits: parseCount(values.series[name].digits) },
      ]),
    ) as SalesSettingsBody['series'],
    dueDays: countOrNull(values.dueDays),
    validDays: countOrNull(values.validDays),
    terms: orNull(values.terms),
    booksLockedUntil: orNull(values.booksLockedUntil),
  } as SalesSettingsBody
}

function SettingsForm({ settings }: { settings: SalesSettings }) {
  const form = useForm<Values>({ values: valuesOf(settings) })
  const { register, control, handleSubmit, setError, getFieldState, formState } = form
  const { errors, isSubmitting, isDirty } = formState
  const { question } = useUnsaved(isDirty)
  const submit = handleSubmit(async (values) => {
    try {
      const saved = await saveSettings(bodyOf(values, settings))
      form.reset(valuesOf(saved))
      notify({ title: t('settings.saved'), kind: 'good' })
    } catch (error) {
      const issues = (error as { issues?: { path: string }[] }).issues ?? []
      for (const issue of issues) issue.path = issue.path.replace('seller.address', 'seller')
      const fields = [
        ...[...SELLER, ...ADDRESS, 'bank'].map((name) => `seller.${name}`),
        ...SERIES.flatMap((name) => [`series.${name}.prefix`, `series.${name}.digits`]),
        'currency',
        'dueDays',
        'validDays',
        'terms',
        'booksLockedUntil',
      ] as Path<Values>[]
      showIssues<Values>(error, fields, setError)
    }
  })
  const field = (name: Path<Values>) => ({
    error: getFieldState(name, formState).error?.message,
    ...register(name),
  })
  return (
    <form onSubmit={submit} noValidate>
      {question}
      {errors.root && (
        <div className="mb-4">
          <Callout kind="bad" role="alert">
            {errors.root.message}
          </Callout>
        </div>
      )}
      <Section title={t('settings.seller')} description={t('settings.seller.text')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <TextField label={t('settings.legalName')} {...field('seller.legalName')} />
          <TextField label={t('field.gstin')} {...field('seller.gstin')} />
          <TextField label={t('field.line1')} {...field('seller.line1')} />
          <TextField label={t('settings.line2')} {...field('seller.line2')} />
          <TextField label={t('field.city')} {...field('seller.city')} />
          <div className="grid grid-cols-2 gap-4">
            <TextField label={t('field.state')} {...field('seller.state')} />
            <TextField label={t('field.postalCode')} {...field('seller.postalCode')} />
          </div>
          <TextField label={t('settings.pan')} {...field('seller.pan')} />
          <TextField label={t('field.email')} type="email" {...field('seller.email')} />
          <TextField label={t('field.phone')} type="tel" {...field('seller.phone')} />
          <TextField label={t('settings.upiId')} {...field('seller.upiId')} />
          <TextArea label={t('settings.bank')} {...field('seller.bank')} />
        </div>
      </Section>
      <Section title={t('settings.tax')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <Controller
            control={control}
            name="taxScheme"
            render={({ field: { value, onChange } }) => (
              <SelectField
                label={t('settings.scheme')}
                value={value}
                onChange={onChange}
                choices={SCHEMES.map((scheme) => ({ value: scheme, label: t(`scheme.${scheme}`) }))}
              />
            )}
          />
          <TextField
            label={t('settings.currency')}
            hint={t('settings.currency.hint')}
            maxLength={3}
            {...field('currency')}
          />
          <Controller
            control={control}
            name="hsnDigits"
            render={({ field: { value, onChange } }) => (
              <SelectField
                label={t('settings.hsn')}
                value={value}
                onChange={onChange}
                choices={HSN.map((digits) => ({ value: digits, label: t(`hsn.${digits}`) }))}
              />
            )}
          />
          <div className="flex flex-col">
            {(['pricesIncludeTax', 'roundToUnit'] as const).map((name) => (
              <Controller
                key={name}
                control={control}
                name={name}
                render={({ field: { value, onChange } }) => (
                  <Switch label={t(`settings.${name}`)} checked={value} onChange={onChange} />
                )}
              />
            ))}
          </div>
        </div>
      </Section>
      <Section title={t('settings.series')} description={t('settings.series.text', { fy: '{FY}' })}>
        <div className="grid max-w-2xl gap-3">
          {SERIES.map((name) => (
            <div key={name} className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4">
              <TextField label={t(`series.${name}`)} {...field(`series.${name}.prefix`)} />
              <TextField
                label={
                  <>
                    <span className="sr-only">{t(`series.${name}`)} </span>
                    {t('settings.digits')}
                  </>
                }
                inputMode="numeric"
                {...field(`series.${name}.digits`)}
              />
            </div>
          ))}
        </div>
      </Section>
      <Section title={t('settings.usual')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <TextField
            label={t('settings.dueDays')}
            hint={t('settings.days.hint')}
            type="number"
            {...field('dueDays')}
          />
          <TextField
            label={t('settings.validDays')}
            hint={t('settings.days.hint')}
            type="number"
            {...field('validDays')}
          />
          <TextArea label={t('field.terms')} {...field('terms')} />
          <TextField
            label={t('settings.locked')}
            hint={t('settings.locked.hint')}
            type="date"
            {...field('booksLockedUntil')}
          />
        </div>
      </Section>
      <SaveButton isChanged={isDirty} busy={isSubmitting} className="-mt-4 mb-8">
        {t('settings.save')}
      </SaveButton>
    </form>
  )
}

export function SalesSettingsSection() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { workspace: openWorkspace } = useWorkspaceSession(workspace)
  const isOn = openWorkspace.modules.includes('invoicing')
  const {
    data: settings,
    error,
    isLoadingError,
    refetch,
  } = useQuery({ ...salesSettingsQuery, enabled: isOn })
  if (!isOn)
    return <Callout>{t('off.text', { workspace, modules: withModule(openWorkspace, 'invoicing') })}</Callout>
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return settings ? <SettingsForm settings={settings} /> : <SkeletonRows />
}
