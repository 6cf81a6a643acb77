import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import type { RatingSettings } from '../../../sdk/api.ts'
import { parseOptionalNumber, showIssues } from '../../api/form.ts'
import { FormFault } from '../../kit/callout.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { ratingSettingsQuery, saveRatingSettings } from '../queries.ts'
import { t } from '../texts.ts'
import { TemplateField } from './template-field.tsx'

type Values = Omit<RatingSettings, 'delayMinutes'> & { delayMinutes: string }

const valuesOf = (settings: RatingSettings): Values => ({
  ...settings,
  delayMinutes: String(settings.delayMinutes),
})

function RatingForm({ settings }: { settings: RatingSettings }) {
  const { register, control, handleSubmit, setError, formState, reset } = useForm<Values>({
    values: valuesOf(settings),
  })
  const { errors, isSubmitting, isDirty } = formState
  const { question } = useUnsaved(isDirty)
  const submit = handleSubmit(async (values) => {
    try {
      const delayMinutes = parseOptionalNumber(values.delayMinutes)
      const saved = await saveRatingSettings({ ...values, delayMinutes })
      reset(valuesOf(saved))
      notify({ title: t('ratings.saved'), kind: 'good' })
    } catch (error) {
      showIssues(error, ['question', 'templateId', 'delayMinutes'], setError)
    }
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-4">
      {question}
      <FormFault fault={errors.root} />
      <Controller
        control={control}
        name="enabled"
        render={({ field: { value, onChange } }) => (
          <Switch label={t('ratings.enabled')} checked={value} onChange={onChange} />
        )}
      />
      <TextArea
        label={t('question')}
        maxLength={1024}
        error={errors.question?.message}
        {...register('question')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="templateId"
          render={({ field: { value, onChange } }) => (
            <TemplateField value={value} onChange={onChange} error={errors.templateId?.message} />
          )}
        />
        <TextField
          label={t('ratings.delay')}
          hint={t('ratings.delay.hint')}
          type="number"
          error={errors.delayMinutes?.message}
          {...register('delayMinutes')}
        />
      </div>
      <SaveButton isChanged={isDirty} busy={isSubmitting}>
        {t('ratings.save')}
      </SaveButton>
    </form>
  )
}

/** Edits whether and how customers are asked to rate a chat. */
export function RatingSettingsPart() {
  const { data: settings, error, refetch } = useQuery(ratingSettingsQuery)
  return (
    <Section title={t('ratings')} description={t('ratings.text')}>
      {settings ? (
        <RatingForm settings={settings} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Section>
  )
}
