/** Edits the macros: several actions on a chat that a teammate runs together. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { Macro, QuickReply } from '../../../sdk/api.ts'
import { showIssues } from '../../api/form.ts'
import { readAllRows } from '../../api/read-all-rows.ts'
import { call } from '../../api/request.ts'
import { teamsQuery } from '../../inbox/queries.ts'
import { EntryDialog } from '../../kit/entry-dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { withConfirmation } from '../../shell/confirm.ts'
import { teamQuery } from '../../tasks/queries.ts'
import { macrosQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { reportSaved } from '../use-write.ts'
import { ListSection } from './list-section.tsx'
import { actionsOf, formOf, KEEP, type MacroActions, NO_TEAM, SNOOZES, UNASSIGN } from './macro-shape.ts'

const READS = ['macro']
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
type Named = { id: string; name: string }

/** Reads all saved replies, to choose one. */
const replyChoicesQuery = {
  queryKey: ['quickReply', 'list', 'choices'],
  queryFn: (): Promise<QuickReply[]> =>
    readAllRows('quickReplies', (query) => call('GET /quick-replies', { query })),
}

function useNames() {
  const { data: members } = useQuery(teamQuery)
  const { data: replies } = useQuery(replyChoicesQuery)
  const { data: teams } = useQuery(teamsQuery)
  return { members, teams, replies: replies?.map(({ id, shortcut }) => ({ id, name: `/${shortcut}` })) }
}

/** Returns choices; a deleted value stays selected. */
function choicesOf(named: readonly Named[] | undefined, value: string, others: readonly string[]) {
  const isDeleted = named !== undefined && !others.includes(value) && named.every(({ id }) => id !== value)
  return [
    ...(named ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ...(isDeleted ? [{ value, label: t('macros.deleted') }] : []),
  ]
}

const minutesText = (minutes: number): string => {
  const known = SNOOZES.find((snooze) => snooze === minutes)
  return known ? t(`macros.end.${known}`) : t('macros.end.minutes', { minutes })
}

function endChoices(end: string) {
  const own = Number(end)
  const minutes = own > 0 && !SNOOZES.some((snooze) => snooze === own) ? [own, ...SNOOZES] : SNOOZES
  return [
    { value: KEEP, label: t('macros.keep') },
    { value: 'resolve', label: t('macros.end.resolve') },
    ...minutes.map((snooze) => ({ value: String(snooze), label: minutesText(snooze) })),
    { value: 'reply', label: t('macros.end.reply') },
  ]
}

const FIELDS = [
  'name',
  'actions.addTags',
  'actions.removeTags',
  'actions.quickReplyId',
  'actions.teamId',
  'actions.assignee',
  'actions.priority',
  'actions.note',
] as const
const PLACES = { actions: 'actions.addTags', 'actions.snooze.minutes': 'actions.end' } as const

function MacroDialog({ macro, onClose }: { macro: Macro | undefined; onClose: () => void }) {
  const { members, teams, replies } = useNames()
  const form = useForm({
    defaultValues: { name: macro?.name ?? '', actions: formOf(macro?.actions ?? {}) },
  })
  const { errors } = form.formState
  const { quickReplyId, teamId, assignee, priority, end } = form.watch('actions')
  const choose = (field: 'quickReplyId' | 'teamId' | 'assignee' | 'priority' | 'end') => (value: string) =>
    form.setValue(`actions.${field}`, value, { shouldDirty: true })
  return (
    <EntryDialog
      form={form}
      title={t(macro ? 'macros.change' : 'macros.add')}
      save={({ name, actions }) => {
        const body = { name, actions: actionsOf(actions) }
        return withConfirmation(async () =>
          macro
            ? call('PATCH /macros/{id}', { params: { id: macro.id }, body })
            : call('POST /macros', { body }),
        )
      }}
      onSaved={() => reportSaved(t('macros.saved'), READS)}
      onError={(error) => showIssues(error, FIELDS, form.setError, PLACES)}
      onClose={onClose}
    >
      <TextField
        label={t('macros.name')}
        autoFocus
        maxLength={100}
        error={errors.name?.message}
        {...form.register('name')}
      />
      <SelectField
        label={t('macros.reply')}
        hint={t('macros.reply.hint')}
        value={quickReplyId}
        error={errors.actions?.quickReplyId?.message}
        onChange={choose('quickReplyId')}
        choices={[
          { value: KEEP, label: t('macros.reply.none') },
          ...choicesOf(replies, quickReplyId, [KEEP]),
        ]}
      />
      <TextField
        label={t('macros.addTags')}
        hint={t('macros.tags.hint')}
        error={errors.actions?.addTags?.message}
        {...form.register('actions.addTags')}
      />
      <TextField
        label={t('macros.removeTags')}
        hint={t('macros.tags.hint')}
        error={errors.actions?.removeTags?.message}
        {...form.register('actions.removeTags')}
      />
      {((teams?.length ?? 0) > 0 || teamId !== KEEP) && (
        <SelectField
          label={t('macros.team')}
          value={teamId}
          error={errors.actions?.teamId?.message}
          onChange={choose('teamId')}
          choices={[
            { value: KEEP, label: t('macros.keep') },
            { value: NO_TEAM, label: t('macros.team.none') },
            ...choicesOf(teams, teamId, [KEEP, NO_TEAM]),
          ]}
        />
      )}
      <SelectField
        label={t('macros.assignee')}
        value={assignee}
        error={errors.actions?.assignee?.message}
        onChange={choose('assignee')}
        choices={[
          { value: KEEP, label: t('macros.keep') },
          { value: 'me', label: t('macros.assignee.me') },
          { value: UNASSIGN, label: t('macros.assignee.none') },
          ...choicesOf(members, assignee, [KEEP, 'me', UNASSIGN]),
        ]}
      />
      <SelectField
        label={t('macros.priority')}
        value={priority}
        error={errors.actions?.priority?.message}
        onChange={choose('priority')}
        choices={[
          { value: KEEP, label: t('macros.keep') },
          ...PRIORITIES.map((value) => ({ value, label: t(`macros.priority.${value}`) })),
        ]}
      />
      <SelectField
        label={t('macros.end')}
        value={end}
        error={errors.actions?.end?.message}
        onChange={choose('end')}
        choices={endChoices(end)}
      />
      <TextArea
        label={t('macros.note')}
        error={errors.actions?.note?.message}
        {...form.register('actions.note')}
      />
    </EntryDialog>
  )
}

/** Names the actions of a macro, in their order. */
function Summary({ actions }: { actions: MacroActions }) {
  const { addTags, removeTags, quickReplyId, teamId, assignee, priority, note } = actions
  const { end } = formOf(actions)
  const parts = [
    addTags && t('macros.addTags'),
    removeTags && t('macros.removeTags'),
    quickReplyId && t('macros.reply'),
    teamId === null ? t('macros.team.none') : teamId && t('macros.team'),
    assignee === null ? t('macros.assignee.none') : assignee && t('macros.assignee'),
    priority && t('macros.priority'),
    end !== KEEP && endChoices(end).find(({ value }) => value === end)?.label,
    note && t('macros.note'),
  ]
  return <span className="line-clamp-2 text-ink-2">{parts.filter(Boolean).join(' · ')}</span>
}

export const Macros = () => (
  <ListSection
    name="macros"
    icon={Zap}
    query={useInfiniteQuery(macrosQuery)}
    nameOf={({ name }) => name}
    remove={({ id }) => call('DELETE /macros/{id}', { params: { id } })}
    reads={READS}
    form={(macro, onClose) => <MacroDialog macro={macro} onClose={onClose} />}
    columns={[
      {
        id: 'name',
        title: t('macros.name'),
        cell: ({ name }) => <span className="font-medium">{name}</span>,
      },
      {
        id: 'actions',
        title: t('macros.actions'),
        cell: ({ actions }) => <Summary actions={actions} />,
      },
    ]}
  />
)
