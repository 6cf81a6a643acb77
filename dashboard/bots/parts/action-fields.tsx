/** Edits an action and its values. */
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import type { Node, NodeOf } from '../script.ts'
import { t } from '../texts.ts'
import { LinesField, MemberField, TeamField } from './fields.tsx'

type Action = NodeOf<'action'>['action']
const KINDS = [
  'add_tags',
  'remove_tags',
  'set_attribute',
  'assign_conversation',
  'set_conversation',
  'add_note',
  'create_lead',
] as const satisfies readonly Action['type'][]
const STATES = ['open', 'pending', 'resolved'] as const
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
const KEEP = 'keep'

/** Returns a new action of a kind, which can be saved unchanged. */
function newAction(type: Action['type']): Action {
  switch (type) {
    case 'add_tags':
    case 'remove_tags':
      return { type, tags: [t('tag.first')] }
    case 'set_attribute':
      return { type, key: 'city', value: null }
    case 'assign_conversation':
      return { type, memberId: null }
    case 'set_conversation':
      return { type, priority: 'high' }
    case 'add_note':
      return { type, note: t('say.new') }
    case 'create_lead':
      return { type }
  }
}

type Props = {
  node: NodeOf<'action'>
  onChange: (node: Node) => void
  faultAt: (path: string) => string | undefined
}

function Details({ node, onChange, faultAt }: Props) {
  const { action } = node
  const replaceAction = (next: Action) => onChange({ ...node, action: next })
  switch (action.type) {
    case 'add_tags':
    case 'remove_tags':
      return (
        <LinesField
          label={t('do.tags')}
          hint={t('do.tags.hint')}
          lines={action.tags}
          onChange={(tags) => replaceAction({ ...action, tags })}
          error={faultAt('action.tags')}
        />
      )
    case 'set_attribute':
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('do.key')}
            value={action.key}
            onChange={(event) => replaceAction({ ...action, key: event.target.value })}
            error={faultAt('action.key')}
          />
          <TextField
            label={t('do.value')}
            hint={t('do.value.hint')}
            value={action.value ?? ''}
            onChange={(event) => replaceAction({ ...action, value: event.target.value || null })}
            error={faultAt('action.value')}
          />
        </div>
      )
    case 'assign_conversation':
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <MemberField
            label={t('do.member')}
            unassigned={t('do.member.none')}
            value={action.memberId}
            onChange={(memberId) => replaceAction({ ...action, memberId })}
            error={faultAt('action.memberId')}
          />
          <TeamField
            value={action.teamId ?? null}
            onChange={(teamId) => replaceAction({ ...action, teamId })}
            error={faultAt('action.teamId')}
          />
        </div>
      )
    case 'set_conversation': {
      const { state, priority } = action
      return (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('do.state')}
            value={state ?? KEEP}
            onChange={(next) => {
              const { state: _, ...rest } = action
              replaceAction(next === KEEP ? rest : { ...action, state: next })
            }}
            choices={[
              { value: KEEP, label: t('do.keep') },
              ...STATES.map((value) => ({ value, label: t(`state.${value}`) })),
            ]}
            error={faultAt('action.state')}
          />
          <SelectField
            label={t('do.priority')}
            value={priority ?? KEEP}
            onChange={(next) => {
              const { priority: _, ...rest } = action
              replaceAction(next === KEEP ? rest : { ...action, priority: next })
            }}
            choices={[
              { value: KEEP, label: t('do.keep') },
              ...PRIORITIES.map((value) => ({ value, label: t(`priority.${value}`) })),
            ]}
            error={faultAt('action.priority')}
          />
        </div>
      )
    }
    case 'add_note':
      return (
        <TextArea
          label={t('do.note')}
          value={action.note}
          onChange={(event) => replaceAction({ ...action, note: event.target.value })}
          error={faultAt('action.note')}
        />
      )
    case 'create_lead': {
      const { stage, source, note } = action
      const orUndefined = (text: string) => text || undefined
      return (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={t('do.stage')}
              hint={t('do.stage.hint')}
              value={stage ?? ''}
              onChange={(event) => replaceAction({ ...action, stage: orUndefined(event.target.value) })}
              error={faultAt('action.stage')}
            />
            <TextField
              label={t('do.source')}
              value={source ?? ''}
              onChange={(event) => replaceAction({ ...action, source: orUndefined(event.target.value) })}
              error={faultAt('action.source')}
            />
          </div>
          <TextArea
            label={t('do.note')}
            value={note ?? ''}
            onChange={(event) => replaceAction({ ...action, note: orUndefined(event.target.value) })}
            error={faultAt('action.note')}
          />
        </>
      )
    }
  }
}

export const ActionFields = (props: Props) => (
  <>
    <SelectField
      label={t('action.type')}
      value={props.node.action.type}
      onChange={(type) => props.onChange({ ...props.node, action: newAction(type) })}
      choices={KINDS.map((value) => ({ value, label: t(`do.${value}`) }))}
    />
    <Details key={props.node.action.type} {...props} />
  </>
)
