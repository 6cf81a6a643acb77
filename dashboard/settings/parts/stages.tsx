import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { PipelineStage } from '../../../sdk/api.ts'
import { call } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { ColorMark } from '../../kit/color-mark.tsx'
import { Section } from '../../kit/page.tsx'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'
import { OrderRow } from './order-row.tsx'
import { RemoveStage } from './remove-stage.tsx'
import { StageDialog } from './stage-dialog.tsx'

const TONES = { initial: 'accent', active: 'plain', won: 'good', lost: 'bad' } as const
type OpenDialog = { as: 'edit'; stage: PipelineStage | undefined } | { as: 'remove'; stage: PipelineStage }

/** Shows the stages in order. */
export function Stages({ stages }: { stages: readonly PipelineStage[] }) {
  const [opened, setOpened] = useState<OpenDialog>()
  const close = () => setOpened(undefined)
  const move = useWrite({
    work: ({ id, position }: { id: string; position: number }) =>
      call('PATCH /pipeline/stages/{id}', { params: { id }, body: { position } }),
    done: ({ stage }) => t('moved', { name: stage.name }),
    reads: ['pipeline'],
  })
  return (
    <Section
      title={t('stages')}
      description={t('stages.text')}
      actions={
        <Button icon={Plus} onClick={() => setOpened({ as: 'edit', stage: undefined })}>
          {t('stages.add')}
        </Button>
      }
    >
      <ol className="rounded-lg border">
        {stages.map((stage, index) => (
          <OrderRow
            key={stage.id}
            name={stage.name}
            index={index}
            count={stages.length}
            busy={move.isPending}
            onMove={(position) => move.mutate({ id: stage.id, position })}
            onEdit={() => setOpened({ as: 'edit', stage })}
            {...(stage.kind === 'initial' ? {} : { onRemove: () => setOpened({ as: 'remove', stage }) })}
          >
            <ColorMark color={stage.color} />
            <span className="font-medium">{stage.name}</span>
            <Badge tone={TONES[stage.kind]}>{t(`stages.kind.${stage.kind}`)}</Badge>
          </OrderRow>
        ))}
      </ol>
      {opened?.as === 'edit' && <StageDialog stage={opened.stage} onClose={close} />}
      {opened?.as === 'remove' && <RemoveStage stage={opened.stage} stages={stages} onClose={close} />}
    </Section>
  )
}
