import { useState } from 'react'
import type { PipelineStage } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/select.tsx'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'

type Props = { stage: PipelineStage; stages: readonly PipelineStage[]; onClose: () => void }

/** Removes a stage, and asks where to move its leads. */
export function RemoveStage({ stage, stages, onClose }: Props) {
  const others = stages.filter(({ id }) => id !== stage.id)
  const [moveTo, setMoveTo] = useState(others[0]?.id ?? null)
  const remove = useWrite({
    work: (target: string) =>
      call('DELETE /pipeline/stages/{id}', { params: { id: stage.id }, query: { moveTo: target } }),
    done: () => t('stages.removed', { name: stage.name }),
    reads: ['pipeline', 'lead'],
    after: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('remove.title', { name: stage.name })}
      actions={
        <Button
          variant="danger"
          disabled={moveTo === null}
          busy={remove.isPending}
          onClick={() => moveTo !== null && remove.mutate(moveTo)}
        >
          {t('stages.remove')}
        </Button>
      }
    >
      <SelectField
        label={t('stages.moveTo')}
        value={moveTo}
        onChange={setMoveTo}
        choices={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Dialog>
  )
}
