/** Edits the confirmation of cash-on-delivery orders, and the other settings common to all shops. */
import { Controller, type UseFormReturn } from 'react-hook-form'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { TemplateField } from '../../reviews/parts/template-field.tsx'
import { t } from '../texts.ts'
import type { Values } from './shape.ts'

type Props = { form: UseFormReturn<Values>; disabled: boolean }
const NUMBERS = ['delayMinutes', 'remindAfterMinutes', 'expireHours'] as const

export function CodFields({ form, disabled }: Props) {
  const { register, control, watch, formState } = form
  const errors = formState.errors.settings?.cod
  const isOn = watch('settings.cod.enabled')
  return (
    <Section title={t('cod')} description={t('cod.text')}>
      <div className="flex max-w-2xl flex-col gap-4">
        <Controller
          control={control}
          name="settings.cod.enabled"
          render={({ field: { value, onChange } }) => (
            <Switch label={t('cod.enabled')} checked={value} onChange={onChange} disabled={disabled} />
          )}
        />
        {isOn && (
          <>
            <div className="grid gap-4 sm:grid-cols-3">
              {NUMBERS.map((name) => (
                <TextField
                  key={name}
                  label={t(`cod.${name}`)}
                  hint={t(`cod.${name}.hint`)}
                  inputMode="numeric"
                  disabled={disabled}
                  error={errors?.[name]?.message}
                  {...register(`settings.cod.${name}`)}
                />
              ))}
            </div>
            <Controller
              control={control}
              name="settings.cod.templateId"
              render={({ field: { value, onChange } }) => (
                <TemplateField
                  value={value}
                  onChange={onChange}
                  error={errors?.templateId?.message}
                  disabled={disabled}
                />
              )}
            />
            <p className="text-sm text-ink-2">{t('cod.template.text')}</p>
            <Controller
              control={control}
              name="settings.cod.tagStore"
              render={({ field: { value, onChange } }) => (
                <Switch label={t('cod.tagStore')} checked={value} onChange={onChange} disabled={disabled} />
              )}
            />
          </>
        )}
      </div>
    </Section>
  )
}

export function CustomerFields({ form, disabled }: Props) {
  const { register, control, formState } = form
  return (
    <Section title={t('customers')}>
      <div className="flex max-w-2xl flex-col gap-4">
        <Controller
          control={control}
          name="settings.createLeads"
          render={({ field: { value, onChange } }) => (
            <Switch label={t('createLeads')} checked={value} onChange={onChange} disabled={disabled} />
          )}
        />
        <TextField
          label={t('country')}
          hint={t('country.hint')}
          maxLength={2}
          inputClassName="max-w-24 uppercase"
          disabled={disabled}
          error={formState.errors.settings?.country?.message}
          {...register('settings.country')}
        />
      </div>
    </Section>
  )
}
