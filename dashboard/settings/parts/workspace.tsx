import { useQuery } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/core/values/languages.ts'
import { parseCount, showIssues } from '../../api/form.ts'
import { callDashboard } from '../../api/request.ts'
import { FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SaveButton } from '../../kit/save-button.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { type Workspace, type WorkspacePatch, workspaceQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { CaptureLink } from './capture-link.tsx'
import { ZoneField } from './zone-field.tsx'

const TEXTS = ['name', 'timezone', 'language', 'countryCode'] as const
const NUMBERS = ['marketingCap', 'coolOffDays', 'followUpHours', 'messageDays'] as const
type Name = (typeof TEXTS)[number] | (typeof NUMBERS)[number]
type Values = Record<Name, string>

const valuesOf = (workspace: Workspace): Values => ({
  name: workspace.name,
  timezone: workspace.timezone,
  language: workspace.language,
  countryCode: workspace.countryCode,
  marketingCap: String(workspace.marketingCap),
  coolOffDays: String(workspace.coolOffDays),
  followUpHours: String(workspace.followUpHours),
  messageDays: String(workspace.messageDays ?? 0),
})

function patchOf(values: Values, before: Values): WorkspacePatch {
  const isChanged = (name: Name) => values[name].trim() !== before[name]
  return {
    ...Object.fromEntries(TEXTS.filter(isChanged).map((name) => [name, values[name].trim()])),
    ...Object.fromEntries(NUMBERS.filter(isChanged).map((name) => [name, parseCount(values[name])])),
  }
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const before = valuesOf(workspace)
  const { register, control, handleSubmit, setError, formState, reset } = useForm<Values>({ values: before })
  const { errors, isSubmitting, isDirty } = formState
  const submit = handleSubmit(async (values) => {
    try {
      const saved = await callDashboard('PATCH /workspace', { body: patchOf(values, before) })
      reset(valuesOf(saved.workspace))
      await reportSaved(t('workspace.saved'), ['workspace', 'session'])
    } catch (error) {
      showIssues(error, [...TEXTS, ...NUMBERS], setError)
    }
  })
  const field = (name: Name) => ({ error: errors[name]?.message, ...register(name) })
  return (
    <form onSubmit={submit} noValidate>
      <FormFault fault={errors.root} />
      <Section title={t('workspace')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <TextField className="sm:col-span-2" label={t('name')} {...field('name')} />
          <Controller
            control={control}
            name="timezone"
            render={({ field: { value, onChange, onBlur, ref } }) => (
              <ZoneField
                label={t('timezone')}
                hint={t('timezone.hint')}
                error={errors.timezone?.message}
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                ref={ref}
              />
            )}
          />
          <TextField
            label={t('countryCode')}
            hint={t('countryCode.hint')}
            inputMode="numeric"
            {...field('countryCode')}
          />
          <Controller
            control={control}
            name="language"
            render={({ field: { value, onChange } }) => (
              <SelectField
                label={t('language')}
                hint={t('language.hint')}
                value={value}
                onChange={onChange}
                choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
              />
            )}
          />
        </div>
      </Section>
      <Section title={t('limits')} description={t('limits.text')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          {NUMBERS.map((name) => (
            <TextField key={name} label={t(name)} hint={t(`${name}.hint`)} type="number" {...field(name)} />
          ))}
        </div>
      </Section>
      <SaveButton isChanged={isDirty} busy={isSubmitting} className="-mt-4 mb-8">
        {t('save')}
      </SaveButton>
    </form>
  )
}

/** Edits the name and the rules of the workspace, and shows its capture link. */
export function WorkspaceSettings() {
  const { data: workspace, error, isLoadingError, isPending, refetch } = useQuery(workspaceQuery)
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <>
      <WorkspaceForm workspace={workspace} />
      <CaptureLink workspace={workspace} />
    </>
  )
}
