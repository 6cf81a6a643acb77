/** Creates or changes a saved segment, with a live count of its contacts. */
import { useForm } from 'react-hook-form'
import type { Segment } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { showIssues } from '../../api/form.ts'
import { call } from '../../api/request.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { notify } from '../../kit/toasts.tsx'
import { t } from '../texts.ts'
import { ConditionFields, LiveCount } from './conditions.tsx'
import { type Conditions, conditionsOf, definitionOf, NO_CONDITIONS } from './conditions-shape.ts'

type Values = Conditions & { name: string }

type Props = {
  /** The segment to change; undefined for a new one. */
  segment?: Segment | undefined
  /** The conditions of a new segment. */
  conditions?: Conditions
  onSaved?: (segment: Segment) => void
  onClose: () => void
}

export function SegmentDialog({ segment, conditions = NO_CONDITIONS, onSaved, onClose }: Props) {
  // A list of contacts, made by the API, has no conditions to edit.
  const isList = segment?.segment.contactIds !== undefined
  const form = useForm<Values>({
    defaultValues: {
      name: segment?.name ?? '',
      ...conditionsOf(segment?.segment ?? definitionOf(conditions)),
    },
  })
  const { errors } = form.formState
  const current = form.watch()
  const save = async (values: Values): Promise<Segment> => {
    const body = { name: values.name, ...(isList ? {} : { segment: definitionOf(values) }) }
    const reply = segment
      ? await call('PATCH /segments/{id}', { params: { id: segment.id }, body })
      : await call('POST /segments', { body: { name: values.name, segment: definitionOf(values) } })
    return reply.segment
  }
  return (
    <EntryDialog
      form={form}
      title={t(segment ? 'segment.change' : 'segment.add')}
      save={save}
      onSaved={async (saved) => {
        notify({ title: t('segment.saved', { name: saved.name }), kind: 'good' })
        await queryClient.invalidateQueries({ queryKey: ['segment'] })
        onSaved?.(saved)
      }}
      onError={(error) =>
        showIssues(error, ['name'], form.setError, { 'segment.lastSeenWithinDays': 'seenDays' })
      }
      onClose={onClose}
    >
      <TextField
        label={t('segment.name')}
        autoFocus
        error={errors.name?.message}
        {...form.register('name')}
      />
      {!isList && (
        <ConditionFields
          conditions={current}
          onChange={(patch) => {
            for (const [field, value] of Object.entries(patch))
              form.setValue(field as keyof Conditions, value as never)
          }}
        />
      )}
      <LiveCount definition={isList ? segment.segment : definitionOf(current)} />
    </EntryDialog>
  )
}
