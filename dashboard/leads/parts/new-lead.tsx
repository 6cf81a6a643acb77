import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { Lead } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { notify } from '../../kit/toasts.tsx'
import { createLead, pipelineQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Values = { phone: string; name: string; source: string; dealValue: string; stage: string }
type Props = {
  open: boolean
  /** The stage that is chosen first; the pipeline's first stage if undefined. */
  stageId: string | undefined
  onClose: () => void
  onCreated: (lead: Lead) => void
}
const USUAL: Values = { phone: '', name: '', source: '', dealValue: '', stage: '' }

/** Creates a lead; a known number opens its lead. */
export function NewLead({ open, stageId, onClose, onCreated }: Props) {
  const { data: pipeline } = useQuery(pipelineQuery)
  const form = useForm<Values>({ defaultValues: USUAL })
  const { register, control, formState, setError, setValue, reset } = form
  // Each column of the board opens the form with its own stage.
  useEffect(() => {
    if (open) setValue('stage', '')
  }, [open, setValue])
  const attempt = useAttempt()
  const { mutateAsync } = useMutation({
    mutationFn: ({ phone, name, source, dealValue, stage }: Values) =>
      createLead(
        {
          phone: phone.trim(),
          ...(name.trim() && { name: name.trim() }),
          ...(source.trim() && { source: source.trim() }),
          ...(dealValue && { dealValue: Number(dealValue) }),
          ...((stage || stageId) && { stage: stage || stageId }),
        },
        attempt,
      ),
  })
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      open={open}
      onClose={onClose}
      title={t('new.title')}
      action={t('new.action')}
      save={mutateAsync}
      onSaved={({ created, lead }) => {
        if (!created) notify({ title: t('new.known') })
        reset(USUAL)
        onCreated(lead)
      }}
      onError={(error) => showIssues(error, ['phone', 'name', 'source', 'dealValue', 'stage'], setError)}
    >
      <TextField
        label={t('field.phone')}
        hint={t('new.phone.hint')}
        type="tel"
        autoFocus
        error={errors.phone?.message}
        {...register('phone', { validate: (phone) => phone.trim() !== '' || t('new.phone.missing') })}
      />
      <TextField label={t('field.name')} error={errors.name?.message} maxLength={200} {...register('name')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('field.dealValue')}
          type="number"
          min={0}
          step="0.01"
          error={errors.dealValue?.message}
          {...register('dealValue')}
        />
        <TextField
          label={t('field.source')}
          maxLength={120}
          error={errors.source?.message}
          {...register('source')}
        />
      </div>
      <Controller
        control={control}
        name="stage"
        render={({ field }) => (
          <SelectField
            label={t('field.stage')}
            error={errors.stage?.message}
            value={field.value || stageId || pipeline?.initialStageId || null}
            onChange={field.onChange}
            choices={(pipeline?.stages ?? [])
              .filter(({ kind }) => kind !== 'lost')
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      />
    </EntryDialog>
  )
}
