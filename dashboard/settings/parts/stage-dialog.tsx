import type { PipelineStage } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { t } from '../texts.ts'
import { ColorField } from './color.tsx'
import { EntryDialog } from './entry-dialog.tsx'

const FIRST_COLOR = '#64748b'
type Values = { name: string; color: string; kind: PipelineStage['kind'] }

function save(stage: PipelineStage | undefined, { name, color, kind }: Values) {
  if (stage)
    return call('PATCH /pipeline/stages/{id}', { params: { id: stage.id }, body: { name, color, kind } })
  return call('POST /pipeline/stages', {
    body: { name, color, ...(kind === 'initial' ? {} : { kind }) },
  })
}

/** Adds a stage, or changes a stage's name, color, or meaning. */
export function StageDialog({ stage, onClose }: { stage: PipelineStage | undefined; onClose: () => void }) {
  const kinds = stage ? (['initial', 'active', 'won', 'lost'] as const) : (['active', 'won', 'lost'] as const)
  return (
    <EntryDialog<Values>
      title={t(stage ? 'stages.change' : 'stages.add')}
      values={{
        name: stage?.name ?? '',
        color: stage?.color ?? FIRST_COLOR,
        kind: stage?.kind ?? 'active',
      }}
      names={['name', 'color', 'kind']}
      save={(values) => save(stage, values)}
      saved={t('stages.saved')}
      reads={['pipeline', 'lead']}
      onClose={onClose}
    >
      {({ register, watch, setValue, formState: { errors } }) => (
        <>
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
        </>
      )}
    </EntryDialog>
  )
}
