/** Contains the form of each action. */
import type { ReactNode } from 'react'
import type { Issue } from '../../api/errors.ts'
import { TextField } from '../../kit/field.tsx'
import { MultiSelect } from '../../kit/multi-select.tsx'
import { SelectField } from '../../kit/select.tsx'
import { errorAt, type Row } from '../draft.ts'
import { type Catalog, type Choice, fieldsFor } from '../fields.ts'
import { fieldLabel, placeholdersFor } from '../format.ts'
import type { Action, ActionType, Condition, Trigger } from '../queries.ts'
import { t } from '../texts.ts'
import { Conditions } from './conditions.tsx'
import { DurationField } from './duration.tsx'
import { PlaceholderText } from './placeholder-text.tsx'
import { TemplateFields } from './template-fields.tsx'

type Of<Type extends ActionType> = Extract<Action, { type: Type }>
type FormProps<Type extends ActionType> = {
  action: Of<Type>
  change: (patch: Partial<Of<Type>>) => void
  catalog: Catalog
  trigger: Trigger
  /** Returns the error of a field. */
  wrong: (field: string) => string | undefined
  path: string
  issues: readonly Issue[]
}
type Forms = { [Type in ActionType]: (props: FormProps<Type>) => ReactNode }

const UNASSIGNED = 'unassigned'
const SAME = 'same'
const RULE = 'rule'
const TASK_TYPES = ['call', 'message', 'email', 'meeting', 'visit', 'other'] as const
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
const STATES = ['open', 'pending', 'resolved'] as const
const LEAD_FIELDS = ['name', 'email', 'source', 'rating', 'dealValue']
const NUMBERS = ['lead.rating', 'lead.dealValue']

/** Removes undefined values, so that they are not sent. */
const clean = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Value

type MemberProps = {
  label: string
  team: readonly Choice[]
  value: string | null | undefined
  /** The label of the choice that leaves the decision to the rules. */
  left?: string
  onChange: (member: string | null | undefined) => void
  error: string | undefined
}

const MemberField = ({ label, team, value, left, onChange, error }: MemberProps) => (
  <SelectField
    label={label}
    error={error}
    value={value === null ? UNASSIGNED : (value ?? RULE)}
    onChange={(next) => onChange(next === UNASSIGNED ? null : next === RULE ? undefined : next)}
    choices={[
      ...(left ? [{ value: RULE, label: left }] : []),
      { value: UNASSIGNED, label: t('unassigned') },
      ...team,
    ]}
  />
)

function assigneeForm({ action, change, catalog, wrong }: FormProps<'assign_conversation' | 'assign_lead'>) {
  return (
    <MemberField
      label={t('member')}
      team={catalog.team}
      value={action.member}
      onChange={(member) => change({ member: member ?? null })}
      error={wrong('member')}
    />
  )
}

function tagsForm({ action, change, catalog, wrong }: FormProps<'add_tags' | 'remove_tags'>) {
  return (
    <>
      <MultiSelect
        label={t('tags')}
        hint={catalog.tags.length === 0 ? t('tags.none') : undefined}
        error={wrong('tags')}
        choices={catalog.tags.map((tag) => ({ value: tag, label: tag }))}
        values={action.tags}
        onChange={(tags) => change({ tags })}
      />
      <SelectField
        label={t('on')}
        value={action.on ?? 'contact'}
        onChange={(on) => change({ on })}
        choices={(['contact', 'lead'] as const).map((value) => ({ value, label: t(`on.${value}`) }))}
      />
    </>
  )
}

function stageChoices(catalog: Catalog, value: string | undefined): readonly Choice[] {
  return value === undefined || value === '' || catalog.stages.some((stage) => stage.value === value)
    ? catalog.stages
    : [...catalog.stages, { value, label: value }]
}

const FORMS: Forms = {
  send_text: ({ action, change, catalog, trigger, wrong }) => (
    <>
      <PlaceholderText
        label={t('text')}
        hint={t('text.hint')}
        value={action.text}
        placeholders={placeholdersFor(trigger, catalog)}
        onChange={(text) => change({ text })}
        error={wrong('text')}
      />
      <TemplateFields
        label={t('orTemplate')}
        noneLabel={t('orTemplate.none')}
        templates={catalog.templates}
        value={action.orTemplate}
        variables={action.variables}
        onChange={(orTemplate, variables) => change({ orTemplate, variables })}
        error={wrong('orTemplate')}
        valuesError={wrong('variables')}
      />
    </>
  ),
  send_template: ({ action, change, catalog, wrong }) => (
    <TemplateFields
      label={t('template')}
      templates={catalog.templates}
      value={action.templateId}
      variables={action.variables}
      onChange={(templateId, variables) => change({ templateId: templateId ?? '', variables })}
      error={wrong('templateId')}
      valuesError={wrong('variables')}
    />
  ),
  assign_conversation: (props) => (
    <>
      {assigneeForm(props as FormProps<'assign_conversation' | 'assign_lead'>)}
      {(props.catalog.teams.length > 0 || props.action.teamId !== undefined) && (
        <SelectField
          label={t('team')}
          error={props.wrong('teamId')}
          value={props.action.teamId ?? SAME}
          onChange={(next) => props.change({ teamId: next === SAME ? undefined : next })}
          choices={[{ value: SAME, label: t('team.same') }, ...props.catalog.teams]}
        />
      )}
    </>
  ),
  assign_lead: (props) => assigneeForm(props as FormProps<'assign_conversation' | 'assign_lead'>),
  add_tags: (props) => tagsForm(props as FormProps<'add_tags' | 'remove_tags'>),
  remove_tags: (props) => tagsForm(props as FormProps<'add_tags' | 'remove_tags'>),
  set_field: ({ action, change, catalog, wrong }) => {
    const names = [
      'contact.displayName',
      ...catalog.attributes.map(({ value }) => `contact.attributes.${value}`),
      ...LEAD_FIELDS.map((name) => `lead.${name}`),
    ]
    const fieldNames = action.field === '' || names.includes(action.field) ? names : [...names, action.field]
    const isNumber = NUMBERS.includes(action.field)
    return (
      <>
        <SelectField
          label={t('field')}
          placeholder={t('field.choose')}
          error={wrong('field')}
          value={action.field || null}
          onChange={(field) => change({ field, value: null })}
          choices={fieldNames.map((name) => ({ value: name, label: fieldLabel(name, catalog) }))}
        />
        <TextField
          label={t('field.value')}
          hint={t('field.value.hint')}
          type={isNumber ? 'number' : 'text'}
          error={wrong('value')}
          value={action.value === null ? '' : String(action.value)}
          onChange={(event) => {
            const text = event.target.value
            change({ value: text === '' ? null : isNumber ? Number(text) : text })
          }}
        />
      </>
    )
  },
  set_stage: ({ action, change, catalog, wrong }) => (
    <>
      <SelectField
        label={t('stage')}
        placeholder={t('stage.choose')}
        error={wrong('stage')}
        value={action.stage || null}
        onChange={(stage) => change({ stage, lostReason: undefined })}
        choices={stageChoices(catalog, action.stage)}
      />
      {(action.lostReason !== undefined || wrong('lostReason')) && (
        <SelectField
          label={t('lostReason')}
          error={wrong('lostReason')}
          value={action.lostReason ?? null}
          onChange={(lostReason) => change({ lostReason })}
          choices={catalog.lostReasons}
        />
      )}
    </>
  ),
  create_lead: ({ action, change, catalog, wrong }) => (
    <>
      <SelectField
        label={t('stage')}
        error={wrong('stage')}
        value={action.stage ?? RULE}
        onChange={(stage) => change({ stage: stage === RULE ? undefined : stage })}
        choices={[{ value: RULE, label: t('stage.first') }, ...stageChoices(catalog, action.stage)]}
      />
      <MemberField
        label={t('owner')}
        team={catalog.team}
        left={t('owner.rule')}
        value={action.owner}
        onChange={(owner) => change({ owner })}
        error={wrong('owner')}
      />
      <TextField
        label={t('source')}
        maxLength={120}
        error={wrong('source')}
        value={action.source ?? ''}
        onChange={(event) => change({ source: event.target.value || undefined })}
      />
    </>
  ),
  create_task: ({ action, change, catalog, wrong }) => (
    <>
      <TextField
        label={t('task.title')}
        hint={t('task.title.hint')}
        maxLength={200}
        error={wrong('title')}
        value={action.title ?? ''}
        onChange={(event) => change({ title: event.target.value || undefined })}
      />
      <SelectField
        label={t('taskType')}
        value={action.taskType ?? 'other'}
        onChange={(taskType) => change({ taskType })}
        choices={TASK_TYPES.map((value) => ({ value, label: t(`taskType.${value}`) }))}
      />
      <DurationField
        label={t('task.due')}
        minutes={action.dueInMinutes}
        onChange={(minutes) => change({ dueInMinutes: minutes as number })}
        error={wrong('dueInMinutes')}
      />
      <SelectField
        label={t('task.priority')}
        value={action.priority ?? 'normal'}
        onChange={(priority) => change({ priority })}
        choices={PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) }))}
      />
      <MemberField
        label={t('task.assignee')}
        team={catalog.team}
        left={t('task.assignee.owner')}
        value={action.assignee}
        onChange={(assignee) => change({ assignee })}
        error={wrong('assignee')}
      />
    </>
  ),
  add_note: ({ action, change, catalog, trigger, wrong }) => (
    <>
      <PlaceholderText
        label={t('note')}
        value={action.text}
        placeholders={placeholdersFor(trigger, catalog)}
        onChange={(text) => change({ text })}
        error={wrong('text')}
      />
      <SelectField
        label={t('on')}
        value={action.on ?? 'conversation'}
        onChange={(on) => change({ on })}
        choices={(['conversation', 'lead'] as const).map((value) => ({ value, label: t(`on.${value}`) }))}
      />
    </>
  ),
  set_conversation: ({ action, change, wrong }) => (
    <>
      <SelectField
        label={t('chat.state')}
        error={wrong('state')}
        value={action.state ?? SAME}
        onChange={(state) => change({ state: state === SAME ? undefined : state })}
        choices={[
          { value: SAME, label: t('chat.same') },
          ...STATES.map((value) => ({ value, label: t(`state.${value}`) })),
        ]}
      />
      <SelectField
        label={t('chat.priority')}
        value={action.priority ?? SAME}
        onChange={(priority) => change({ priority: priority === SAME ? undefined : priority })}
        choices={[
          { value: SAME, label: t('chat.same') },
          ...PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) })),
        ]}
      />
      <SelectField
        label={t('chat.archive')}
        value={action.isArchived === undefined ? SAME : action.isArchived ? 'yes' : 'no'}
        onChange={(next) => change({ isArchived: next === SAME ? undefined : next === 'yes' })}
        choices={[
          { value: SAME, label: t('chat.same') },
          { value: 'yes', label: t('chat.archive.yes') },
          { value: 'no', label: t('chat.archive.no') },
        ]}
      />
    </>
  ),
  start_bot: ({ action, change, catalog, wrong }) => (
    <SelectField
      label={t('bot')}
      hint={catalog.bots.length === 0 ? t('bot.none') : undefined}
      error={wrong('botId')}
      value={action.botId}
      onChange={(botId) => change({ botId })}
      choices={catalog.bots}
    />
  ),
  request_review: () => <p className="text-sm text-ink-2 sm:col-span-2">{t('review.text')}</p>,
  call_webhook: ({ action, change, wrong }) => (
    <div className="sm:col-span-2">
      <TextField
        label={t('url')}
        hint={t('url.hint')}
        type="url"
        maxLength={2000}
        error={wrong('url')}
        value={action.url}
        onChange={(event) => change({ url: event.target.value })}
      />
    </div>
  ),
  wait: ({ action, change, wrong }) => (
    <DurationField
      label={t('wait.for')}
      minutes={action.minutes}
      onChange={(minutes) => change({ minutes: minutes as number })}
      error={wrong('minutes')}
    />
  ),
  stop_if: ({ action, change, catalog, trigger, path, issues }) => (
    <div className="flex flex-col gap-2 sm:col-span-2">
      <p className="text-sm text-ink-2">{t('stop.text')}</p>
      <Conditions
        match={action.conditions.match ?? 'all'}
        rows={withKeys(action.conditions.conditions)}
        fields={fieldsFor(trigger, catalog)}
        catalog={catalog}
        path={`${path}.conditions`}
        issues={issues}
        onChange={(match, rows) =>
          change({ conditions: { match, conditions: rows.map(({ value }) => value) } })
        }
      />
    </div>
  ),
}

/** Returns rows with their index as key: the conditions of a `stop` action are stored without keys. */
const withKeys = (conditions: readonly Condition[]): Row<Condition>[] =>
  conditions.map((value, index) => ({ key: `${conditions.length} ${index}`, value }))

type Props = {
  action: Action
  catalog: Catalog
  trigger: Trigger
  path: string
  issues: readonly Issue[]
  onChange: (action: Action) => void
}

export function ActionFields({ action, onChange, path, issues, ...rest }: Props) {
  const Form = FORMS[action.type] as ((props: FormProps<ActionType>) => ReactNode) | undefined
  if (!Form) return null
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {Form({
        ...rest,
        path,
        issues,
        action: action as never,
        change: (patch) => onChange(clean({ ...action, ...patch }) as Action),
        wrong: (field) => errorAt(issues, `${path}.${field}`),
      })}
    </div>
  )
}
