import type { FlowAnswer, FlowDetails } from '../queries.ts'
import { formatLimit, formatValue } from './format-value.ts'

export type Field = { label: string; kind: string | null }

/** The data of the table and of the cards. */
export type ShownAnswers = {
  answers: readonly FlowAnswer[]
  fields: ReadonlyMap<string, Field>
  names: ReadonlyMap<string, string>
  /** The address of the inbox, which has the chats. */
  chatPath: string
}

/** Returns the fields by their names: those of the design, then others in the answers. */
export function fieldsOf({ screens }: FlowDetails, answers: readonly FlowAnswer[]): Map<string, Field> {
  const fields = new Map<string, Field>(
    (screens ?? []).flatMap(({ fields }) => fields.map(({ name, label, kind }) => [name, { label, kind }])),
  )
  for (const { fields: own } of answers)
    for (const name of Object.keys(own)) if (!fields.has(name)) fields.set(name, { label: name, kind: null })
  return fields
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Returns an answer to a field as text. */
export const formatAnswer = (value: unknown, { kind }: Field): string =>
  kind === 'date' && typeof value === 'string' && DAY.test(value)
    ? formatLimit(value, 'date')
    : formatValue(value)
