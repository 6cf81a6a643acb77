/** Fields shared by several kinds of nodes. */
import { useQuery } from '@tanstack/react-query'
import { teamQuery, teamsQuery } from '../../inbox/queries.ts'
import { TextArea, TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import type { Node } from '../script.ts'
import { t } from '../texts.ts'
import { formatNode, isNamed, PLACES, type Place, parseTarget } from './format.ts'

const END = '(end)'
const UNASSIGNED = '(unassigned)'

type TargetProps = {
  label: string
  value: string | null
  onChange: (to: string | null) => void
  nodes: readonly Node[]
  /** The node that the exit belongs to. */
  ownId: string
  error: string | undefined
  /** Without a target, the chat goes to a person instead of ending. */
  toPerson?: boolean
}

/** Chooses the next part. */
export function TargetField({ label, value, onChange, nodes, ownId, error, toPerson }: TargetProps) {
  const isMissing = value !== null && !nodes.some(({ id }) => id === value)
  return (
    <SelectField
      label={label}
      error={error}
      value={value ?? END}
      onChange={(next) => onChange(next === END ? null : next)}
      choices={[
        { value: END, label: t(toPerson ? 'next.person' : 'next.end') },
        ...nodes
          .filter(({ id }) => id !== ownId)
          .map((node) => ({ value: node.id, label: formatNode(node), hint: t(`type.${node.type}`) })),
        ...(isMissing ? [{ value, label: t('next.missing') }] : []),
      ]}
    />
  )
}

type MessageFieldProps = {
  value: string
  onChange: (text: string) => void
  nodes: readonly Node[]
  error: string | undefined
}

/** Returns the placeholder of an answer that the bot stores. */
function answerIn(nodes: readonly Node[]): string {
  const paths = nodes.flatMap((node) => (node.type === 'ask' ? [node.saveTo] : []))
  return `{{${paths.find((path) => path.startsWith('answers.')) ?? 'answers.name'}}}`
}

/** Edits the text of a node; names and answers are filled in. */
export const MessageField = ({ value, onChange, nodes, error }: MessageFieldProps) => (
  <TextArea
    label={t('text')}
    hint={t('text.hint', { name: '{{contact.name}}', answer: answerIn(nodes) })}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
)

type LinesProps = {
  label: string
  hint: string
  lines: readonly string[]
  onChange: (lines: string[]) => void
  error: string | undefined
}

/** Edits several words, one per line. */
export const LinesField = ({ label, hint, lines, onChange, error }: LinesProps) => (
  <TextArea
    label={label}
    hint={hint}
    defaultValue={lines.join('\n')}
    onChange={(event) =>
      onChange(
        event.target.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      )
    }
    error={error}
  />
)

type PlaceProps = {
  label: string
  value: string
  onChange: (path: string) => void
  places?: readonly Place[]
  error: string | undefined
}

/** Chooses a known value: of the contact, the chat, or the business hours. */
export function PlaceField({ label, value, onChange, places = PLACES, error }: PlaceProps) {
  const { place, key } = parseTarget(value)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={label}
        value={place}
        error={isNamed(place) ? undefined : error}
        onChange={(next) => onChange(isNamed(next) ? `${next}.${key || 'answer'}` : next)}
        choices={places.map((choice) => ({ value: choice, label: t(`place.${choice}`) }))}
      />
      {isNamed(place) && (
        <TextField
          label={t('place.key')}
          value={key}
          onChange={(event) => onChange(`${place}.${event.target.value}`)}
          error={error}
        />
      )}
    </div>
  )
}

type MemberProps = {
  label: string
  unassigned: string
  value: string | null
  onChange: (id: string | null) => void
  error: string | undefined
}

export function MemberField({ label, unassigned, value, onChange, error }: MemberProps) {
  const { data: team } = useQuery(teamQuery)
  const isOther = value !== null && team?.every(({ id }) => id !== value)
  return (
    <SelectField
      label={label}
      error={error}
      value={value ?? UNASSIGNED}
      onChange={(next) => onChange(next === UNASSIGNED ? null : next)}
      choices={[
        { value: UNASSIGNED, label: unassigned },
        ...(team ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(isOther ? [{ value, label: t('do.member.other') }] : []),
      ]}
    />
  )
}

const SAME = '(same)'

/** Chooses the team that gets the chat; null keeps its team. Hidden in a workspace without teams. */
export function TeamField({ value, onChange, error }: Pick<MemberProps, 'value' | 'onChange' | 'error'>) {
  const { data: teams = [] } = useQuery(teamsQuery)
  if (teams.length === 0 && value === null) return null
  return (
    <SelectField
      label={t('do.team')}
      error={error}
      value={value ?? SAME}
      onChange={(next) => onChange(next === SAME ? null : next)}
      choices={[
        { value: SAME, label: t('do.team.same') },
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
