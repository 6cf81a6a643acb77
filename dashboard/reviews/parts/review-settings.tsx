import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import type { ReviewSettings } from '../../../sdk/api.ts'
import { parseOptionalNumber, showIssues } from '../../api/form.ts'
import { type WorkspaceSession, withModule } from '../../api/session.ts'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import { teamQuery } from '../../tasks/queries.ts'
import { reviewSettingsQuery, saveReviewSettings } from '../queries.ts'
import { t } from '../texts.ts'
import { TemplateField } from './template-field.tsx'

const HOURS = ['afterInvoicePaidHours', 'afterBookingHours'] as const
const SCORES = ['1', '2', '3', '4', '5'] as const
const OWNER = 'owner'

type Values = Pick<ReviewSettings, 'question' | 'templateId' | 'alertMemberId'> &
  Record<(typeof HOURS)[number] | 'everyDays' | 'publicUrl', string> & { alertAt: (typeof SCORES)[number] }

const valuesOf = (settings: ReviewSettings): Values => ({
  question: settings.question,
  templateId: settings.templateId,
  alertMemberId: settings.alertMemberId,
  alertAt: String(settings.alertAt) as Values['alertAt'],
  afterInvoicePaidHours: String(settings.afterInvoicePaidHours ?? ''),
  afterBookingHours: String(settings.afterBookingHours ?? ''),
  everyDays: String(settings.everyDays),
  publicUrl: settings.publicUrl ?? '',
})

const bodyOf = (values: Values) => ({
  question: values.question,
  templateId: values.templateId,
  alertMemberId: values.alertMemberId,
  alertAt: Number(values.alertAt),
  afterInvoicePaidHours: parseOptionalNumber(values.afterInvoicePaidHours) ?? null,
  afterBookingHours: parseOptionalNumber(values.afterBookingHours) ?? null,
  everyDays: parseOptionalNumber(values.everyDays),
  publicUrl: values.publicUrl.trim() || null,
})

type MemberProps = { value: string | null; onChange: (id: string | null) => void; error: string | undefined }

function MemberField({ value, onChange, error }: MemberProps) {
  const { data: team } = useQuery(teamQuery)
  const isOther = value !== null && team?.every(({ id }) => id !== value)
  return (
    <SelectField
      label={t('reviews.alertMemberId')}
      error={error}
      value={value ?? OWNER}
      onChange={(next) => onChange(next === OWNER ? null : next)}
      choices={[
        { value: OWNER, label: t('reviews.alertMemberId.none') },
        ...(team ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(isOther ? [{ value, label: t('reviews.alertMemberId.other') }] : []),
      ]}
    />
  )
}

function ReviewForm({ settings }: { settings: ReviewSettings }) {
  const { register, control, handleSubmit, setError, formState, reset } = useForm<Values>({
    values: valuesOf(settings),
  })
  const { errors, isSubmitting, isDirty } = formState
  const { question } = useUnsaved(isDirty)
  const submit = handleSubmit(async (values) => {
    try {
      reset(valuesOf(await saveReviewSettings(bodyOf(values))))
      notify({ title: t('reviews.saved'), kind: 'good' })
    } catch (error) {
      showIssues(error, Object.keys(values) as (keyof Values)[], setError)
    }
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-4">
      {question}
      <FormFault fault={errors.root} />
      <TextArea
        label={t('question')}
        maxLength={1000}
        error={errors.question?.message}
        {...register('question')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {HOURS.map((name) => (
          <TextField
            key={name}
            label={t(`reviews.${name}`)}
            hint={t('reviews.hours.hint')}
            type="number"
            error={errors[name]?.message}
            {...register(name)}
          />
        ))}
        <Controller
          control={control}
          name="templateId"
          render={({ field: { value, onChange } }) => (
            <TemplateField value={value} onChange={onChange} error={errors.templateId?.message} />
          )}
        />
        <TextField
          label={t('reviews.everyDays')}
          hint={t('reviews.everyDays.hint')}
          type="number"
          error={errors.everyDays?.message}
          {...register('everyDays')}
        />
        <Controller
          control={control}
          name="alertAt"
          render={({ field: { value, onChange } }) => (
            <SelectField
              label={t('reviews.alertAt')}
              hint={t('reviews.alertAt.hint')}
              error={errors.alertAt?.message}
              value={value}
              onChange={onChange}
              choices={SCORES.map((score) => ({
                value: score,
                label: score === '1' ? t('reviews.alertAt.one') : t('reviews.alertAt.more', { count: score }),
              }))}
            />
          )}
        />
        <Controller
          control={control}
          name="alertMemberId"
          render={({ field: { value, onChange } }) => (
            <MemberField value={value} onChange={onChange} error={errors.alertMemberId?.message} />
          )}
        />
      </div>
      <TextField
        label={t('reviews.publicUrl')}
        hint={t('reviews.publicUrl.hint')}
        type="url"
        error={errors.publicUrl?.message}
        {...register('publicUrl')}
      />
      <SaveButton isChanged={isDirty} busy={isSubmitting}>
        {t('reviews.save')}
      </SaveButton>
    </form>
  )
}

/** Edits how and when customers are asked for reviews, if the module is on. */
export function ReviewSettingsPart({ openWorkspace }: { openWorkspace: WorkspaceSession['workspace'] }) {
  const isOn = openWorkspace.modules.includes('reviews')
  const { data: settings, error, refetch } = useQuery({ ...reviewSettingsQuery, enabled: isOn })
  return (
    <Section title={t('reviews')} description={t('reviews.text')}>
      {!isOn ? (
        <Callout>
          {t('off.text', { workspace: openWorkspace.id, modules: withModule(openWorkspace, 'reviews') })}
        </Callout>
      ) : settings ? (
        <ReviewForm settings={settings} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Section>
  )
}
