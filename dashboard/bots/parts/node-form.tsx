/** Edits the text, question, or action of one node. */
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { type Node, type NodeOf, withTarget } from '../script.ts'
import { t } from '../texts.ts'
import { ActionFields } from './action-fields.tsx'
import { LinesField, MemberField, MessageField, PlaceField, TargetField, TeamField } from './fields.tsx'
import { Options } from './options.tsx'
import { RequestFields } from './request-fields.tsx'

const ANSWERS = ['text', 'number', 'email', 'phone', 'date'] as const
const COMPARISONS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'empty',
  'not_empty',
  'greater',
  'less',
] as const
const KEPT = ['answers', 'contact.name', 'contact.attributes'] as const

export type NodeFormProps<One extends Node = Node> = {
  node: One
  nodes: readonly Node[]
  onChange: (node: Node) => void
  /** Returns the server's error for a field. */
  faultAt: (path: string) => string | undefined
}

function AskFields({ node, onChange, faultAt }: NodeFormProps<NodeOf<'ask'>>) {
  return (
    <>
      <SelectField
        label={t('ask.kind')}
        value={node.kind}
        onChange={(kind) => onChange({ ...node, kind })}
        choices={ANSWERS.map((value) => ({ value, label: t(`ask.kind.${value}`) }))}
      />
      <PlaceField
        label={t('ask.saveTo')}
        places={KEPT}
        value={node.saveTo}
        onChange={(saveTo) => onChange({ ...node, saveTo })}
        error={faultAt('saveTo')}
      />
    </>
  )
}

function Condition({ node, onChange, faultAt }: NodeFormProps<NodeOf<'condition'>>) {
  const { field, is, value } = node
  return (
    <>
      <PlaceField
        label={t('condition.field')}
        value={field}
        onChange={(next) =>
          onChange({
            ...node,
            field: next,
            ...(next === 'now.open' ? { is: 'equals', value: 'true' } : {}),
            ...(field === 'now.open' && next !== field ? { value: '' } : {}),
          })
        }
        error={faultAt('field')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('condition.is')}
          value={is}
          onChange={(next) => onChange({ ...node, is: next })}
          choices={COMPARISONS.map((comparison) => ({ value: comparison, label: t(`is.${comparison}`) }))}
          error={faultAt('is')}
        />
        {field === 'now.open' ? (
          <SelectField
            label={t('condition.value')}
            value={value === 'true' ? 'true' : 'false'}
            onChange={(next) => onChange({ ...node, value: next })}
            choices={(['true', 'false'] as const).map((choice) => ({
              value: choice,
              label: t(`open.${choice}`),
            }))}
          />
        ) : (
          !is.endsWith('empty') && (
            <TextField
              label={t('condition.value')}
              value={value}
              onChange={(event) => onChange({ ...node, value: event.target.value })}
              error={faultAt('value')}
            />
          )
        )}
      </div>
    </>
  )
}

const Assistant = ({ node, onChange, faultAt }: NodeFormProps<NodeOf<'ai'>>) => (
  <>
    <TextArea
      label={t('ai.instructions')}
      hint={t('ai.instructions.hint')}
      value={node.instructions}
      onChange={(event) => onChange({ ...node, instructions: event.target.value })}
      error={faultAt('instructions')}
    />
    <LinesField
      label={t('ai.domains')}
      hint={t('ai.domains.hint')}
      lines={node.domains}
      onChange={(domains) => onChange({ ...node, domains })}
      error={faultAt('domains')}
    />
  </>
)

const Handover = ({ node, onChange, faultAt }: NodeFormProps<NodeOf<'handover'>>) => (
  <>
    <MemberField
      label={t('handover.assign')}
      unassigned={t('handover.assign.none')}
      value={node.assign}
      onChange={(assign) => onChange({ ...node, assign })}
      error={faultAt('assign')}
    />
    <TeamField
      value={node.teamId ?? null}
      onChange={(teamId) => onChange({ ...node, teamId })}
      error={faultAt('teamId')}
    />
    <TextArea
      label={t('handover.note')}
      value={node.note ?? ''}
      onChange={(event) => onChange({ ...node, note: event.target.value || null })}
      error={faultAt('note')}
    />
  </>
)

const EXITS = { next: 'next', otherwise: 'exit.no', onFailure: 'exit.failed' } as const

/** Chooses the targets of a node; the targets of menu options are next to their titles. */
function TargetFields({ node, nodes, onChange, faultAt }: NodeFormProps) {
  const keys = (['next', 'otherwise', 'onFailure'] as const).filter((key) => key in node)
  return keys.map((key) => (
    <TargetField
      key={key}
      label={t(
        node.type === 'ai'
          ? 'exit.handed'
          : node.type === 'condition' && key === 'next'
            ? 'exit.yes'
            : EXITS[key],
      )}
      toPerson={node.type === 'ai' || key === 'onFailure'}
      value={(node as unknown as Record<string, string | null>)[key] ?? null}
      onChange={(to) => onChange(withTarget(node, key, to))}
      nodes={nodes}
      ownId={node.id}
      error={faultAt(key)}
    />
  ))
}

export function NodeForm(props: NodeFormProps) {
  const { node, nodes, onChange, faultAt } = props
  return (
    <>
      {'text' in node && (
        <MessageField
          value={node.text}
          onChange={(text) => onChange({ ...node, text })}
          nodes={nodes}
          error={faultAt('text')}
        />
      )}
      {node.type === 'list' && (
        <TextField
          label={t('list.button')}
          maxLength={20}
          value={node.button}
          onChange={(event) => onChange({ ...node, button: event.target.value })}
          error={faultAt('button')}
        />
      )}
      {(node.type === 'buttons' || node.type === 'list') && <Options {...props} node={node} />}
      {node.type === 'ask' && <AskFields {...props} node={node} />}
      {node.type === 'condition' && <Condition {...props} node={node} />}
      {node.type === 'action' && <ActionFields {...props} node={node} />}
      {node.type === 'request' && <RequestFields {...props} node={node} />}
      {node.type === 'ai' && <Assistant {...props} node={node} />}
      {node.type === 'handover' && <Handover {...props} node={node} />}
      <TargetFields {...props} />
    </>
  )
}
