import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { LostReason } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { t } from '../texts.ts'
import { reportSaved, useWrite } from '../use-write.ts'
import { OrderRow } from './order-row.tsx'

const READS = ['pipeline']
type DialogProps = { reason: LostReason | undefined; onClose: () => void }

function ReasonDialog({ reason, onClose }: DialogProps) {
  const form = useForm({ defaultValues: { label: reason?.label ?? '' } })
  const { errors } = form.formState
  return (
    <EntryDialog
      form={form}
      title={t(reason ? 'reasons.change' : 'reasons.add')}
      save={(body) =>
        withConfirmation(async () =>
          reason
            ? call('PATCH /pipeline/lost-reasons/{id}', { params: { id: reason.id }, body })
            : call('POST /pipeline/lost-reasons', { body }),
        )
      }
      onSaved={() => reportSaved(t('reasons.saved'), READS)}
      onError={(error) => showIssues(error, ['label'], form.setError)}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus error={errors.label?.message} {...form.register('label')} />
    </EntryDialog>
  )
}

/** Edits the reasons to choose from when a lead is lost. */
export function LostReasons({ reasons }: { reasons: readonly LostReason[] }) {
  const [editing, setEditing] = useState<{ reason: LostReason | undefined }>()
  const [leaving, setLeaving] = useState<LostReason>()
  const move = useWrite({
    work: ({ id, position }: { id: string; position: number }) =>
      call('PATCH /pipeline/lost-reasons/{id}', { params: { id }, body: { position } }),
    done: ({ lostReason }) => t('moved', { name: lostReason.label }),
    reads: READS,
  })
  const remove = useWrite({
    work: ({ id }: LostReason) => call('DELETE /pipeline/lost-reasons/{id}', { params: { id } }),
    done: (_, { label }) => t('reasons.removed', { name: label }),
    reads: READS,
    after: () => setLeaving(undefined),
  })
  return (
    <Section
      title={t('reasons')}
      description={t('reasons.text')}
      actions={
        <Button icon={Plus} onClick={() => setEditing({ reason: undefined })}>
          {t('reasons.add')}
        </Button>
      }
    >
      {reasons.length === 0 ? (
        <Empty title={t('reasons.empty')} />
      ) : (
        <ol className="rounded-lg border">
          {reasons.map((reason, index) => (
            <OrderRow
              key={reason.id}
              name={reason.label}
              index={index}
              count={reasons.length}
              busy={move.isPending}
              onMove={(position) => move.mutate({ id: reason.id, position })}
              onEdit={() => setEditing({ reason })}
              onRemove={() => setLeaving(reason)}
            >
              {reason.label}
            </OrderRow>
          ))}
        </ol>
      )}
      {editing && <ReasonDialog reason={editing.reason} onClose={() => setEditing(undefined)} />}
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('remove.title', { name: leaving?.label ?? '' })}
        description={t('reasons.remove.text')}
        action={t('remove')}
        onConfirm={() => leaving && remove.mutate(leaving)}
        busy={remove.isPending}
        danger
      />
    </Section>
  )
}
