import { useForm } from 'react-hook-form'
import type { PipelineStage } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ColorField } from './color.tsx'

const FIRST_COLOR = '#64748b'
type Values = { name: string; color: string; kind: PipelineStage['kind'] }

async function save(stage: PipelineStage | undefined, { name, color, kind }: Values) {
  if (stage)
    return call('PATCH /pipeline/stages/{id}', { params: { id: stage.id }, body: { name, color, kind } })
  return call('POST /pipeline/stages', {
    body: { name, color, ...(kind === 'initial' ? {} : { kind }) },
  })
}

/** Adds a stage, or changes a stage's name, color, or meaning. */
export function StageDialog({ stage, onClose }: { stage: PipelineStage | undefined; onClose: () => void }) {
  const kinds = stage ? (['initial', 'active', 'won', 'lost'] as const) : (['active', 'won', 'lost'] as const)
  const form = useForm<Values>({
    defaultValues: {
      name: stage?.name ?? '',
      color: stage?.color ?? FIRST_COLOR,
      kind: stage?.kind ?? 'active',
    },
  })
  const { register, watch, setValue, setError, formState } = form
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      title={t(stage ? 'stages.change' : 'stages.add')}
      save={(values) => withConfirmation(() => save(stage, values))}
      onSaved={() => reportSaved(t('stages.saved'), ['pipeline', 'lead'])}
      onError={(error) => showIssues(error, ['name', 'color', 'kind'], setError)}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus error={errors.name?.message} {...register('name')} />
      <ColorField error={errors.color?.message} {...register('color')} />
      <SelectField
        label={t('stages.kind')}
        hint={t('stages.kind.hint')}
        error={errors.kind?.message}
        value={watch('kind')}
        onChange={(kind) => setValue('kind', kind)}
        choices={kinds.map((value) => ({ value, label: t(`stages.kind.${value}`) }))}
      />
    </EntryDialog>
  )
}
