import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useAttempt } from '../../api/attempt.ts'
import { showIssues } from '../../api/form.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { dayAfterIn, fromZoneInput } from '../../kit/zone-times.tsx'
import { createTask, PRIORITIES, TYPES, teamQuery } from '../queries.ts'
import { t } from '../texts.ts'

const UNASSIGNED = 'none'
const TITLE_MAX = 200
const MORNING = '10:00'

type Values = {
  title: string
  dueAt: string
  type: (typeof TYPES)[number]
  priority: (typeof PRIORITIES)[number]
  assignee: string
}
type Props = {
  /** The task's lead; undefined while the dialog is closed. */
  lead: { id: string; name: string | null; phone: string } | undefined
  me: string
  /** The workspace's time zone. */
  zone: string
  onClose: () => void
}

/** Returns the defaults: due tomorrow morning. */
const defaultValues = (me: string, zone: string): Values => ({
  title: '',
  dueAt: `${dayAfterIn(zone, workspaceNow())}T${MORNING}`,
  type: 'call',
  priority: 'normal',
  assignee: me,
})

/** Creates a follow-up for a lead. */
export function NewTask({ lead, me, zone, onClose }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const form = useForm<Values>({ defaultValues: defaultValues(me, zone) })
  const { register, control, formState, reset, setError } = form
  const leadId = lead?.id
  useEffect(() => {
    if (leadId) reset(defaultValues(me, zone))
  }, [leadId, me, zone, reset])
  const attempt = useAttempt()
  const { mutateAsync } = useMutation({
    mutationFn: ({ dueAt, assignee, ...rest }: Values) =>
      createTask(
        {
          ...rest,
          leadId: leadId!,
          dueAt: fromZoneInput(zone, dueAt)!,
          assignee: assignee === UNASSIGNED ? null : assignee,
        },
        attempt,
      ),
  })
  const { errors } = formState
  return (
    <EntryDialog
      form={form}
      open={lead !== undefined}
      onClose={onClose}
      title={t('new.title')}
      description={lead && t('new.for', { name: lead.name ?? lead.phone })}
      action={t('new.action')}
      save={mutateAsync}
      onSaved={() => notify({ title: t('notice.created'), kind: 'good' })}
      onError={(error) => showIssues(error, ['title', 'dueAt', 'type', 'priority', 'assignee'], setError)}
    >
      <TextField
        label={t('field.title')}
        autoFocus
        maxLength={TITLE_MAX}
        error={errors.title?.message}
        {...register('title', { validate: (title) => title.trim() !== '' || t('field.title.missing') })}
      />
      <TextField
        label={t('field.due')}
        type="datetime-local"
        error={errors.dueAt?.message}
        {...register('dueAt', { required: t('field.due.missing') })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="type"
          render={({ field }) => (
            <SelectField
              label={t('field.type')}
              value={field.value}
              onChange={field.onChange}
              choices={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
            />
          )}
        />
        <Controller
          control={control}
          name="priority"
          render={({ field }) => (
            <SelectField
              label={t('field.priority')}
              value={field.value}
              onChange={field.onChange}
              choices={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
            />
          )}
        />
      </div>
      <Controller
        control={control}
        name="assignee"
        render={({ field }) => (
          <SelectField
            label={t('field.assignee')}
            error={errors.assignee?.message}
            value={field.value}
            onChange={field.onChange}
            choices={[
              { value: UNASSIGNED, label: t('unassigned') },
              ...team.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      />
    </EntryDialog>
  )
}
