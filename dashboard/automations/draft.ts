/** Handles the draft of an automation in the form, and the request body built from it. */
import type { Automation } from '../../sdk/api.ts'
import type { Issue } from '../api/errors.ts'
import type { Action, Condition, NewAutomation, Trigger } from './queries.ts'

/** A row of the form; its key stays the same when it moves. */
export type Row<Value> = { key: string; value: Value }
export type Match = 'all' | 'any'
export type Draft = {
  name: string
  trigger: Trigger
  match: Match
  conditions: Row<Condition>[]
  actions: Row<Action>[]
}
export type Definition = Pick<NewAutomation, 'name' | 'trigger' | 'conditions' | 'actions'>

let rows = 0
export const rowOf = <Value>(value: Value): Row<Value> => ({ key: `row-${rows++}`, value })

export const emptyDraft = (): Draft => ({
  name: '',
  trigger: { event: 'lead.created' },
  match: 'all',
  conditions: [],
  actions: [],
})

export const draftOf = (definition: Definition | Automation): Draft => ({
  name: definition.name,
  trigger: definition.trigger,
  match: definition.conditions?.match ?? 'all',
  conditions: (definition.conditions?.conditions ?? []).map(rowOf),
  actions: definition.actions.map((action) => rowOf(action as Action)),
})

export const definitionOf = ({ name, trigger, match, conditions, actions }: Draft): Definition => ({
  name,
  trigger,
  conditions: { match, conditions: conditions.map(({ value }) => value) },
  actions: actions.map(({ value }) => value),
})

export const isSame = (a: Draft, b: Draft): boolean =>
  JSON.stringify(definitionOf(a)) === JSON.stringify(definitionOf(b))

/** Returns the items with the one at `from` moved to `to`. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  const rest = items.filter((_, index) => index !== from)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}

const REQUIRED: Partial<Record<Action['type'], string>> = {
  send_text: 'text',
  send_template: 'templateId',
  add_tags: 'tags',
  remove_tags: 'tags',
  set_field: 'field',
  set_stage: 'stage',
  add_note: 'text',
  call_webhook: 'url',
  start_bot: 'botId',
}
const isEmpty = (value: unknown): boolean =>
  value === '' || value === undefined || (Array.isArray(value) && value.length === 0)

/**
 * Returns the paths of required fields that are empty, so that the form shows them before the server is
 * called.
 */
export function missingFields({ name, actions }: Draft): string[] {
  return [
    ...(name.trim() === '' ? ['name'] : []),
    ...(actions.length === 0 ? ['actions'] : []),
    ...actions.flatMap(({ value }, index) => {
      const field = REQUIRED[value.type]
      return field && isEmpty((value as Record<string, unknown>)[field]) ? [`actions[${index}].${field}`] : []
    }),
  ]
}

const isAt = (issue: Issue, path: string): boolean =>
  issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`)

/** Returns the error at a path of the form, or below it. */
export const errorAt = (issues: readonly Issue[], path: string): string | undefined =>
  issues.find((issue) => isAt(issue, path))?.message

/** Returns the issues that remain after a change at `path`. */
export const withoutIssues = (issues: readonly Issue[], path: string): Issue[] =>
  issues.filter((issue) => !isAt(issue, path))

/** Returns the issues with the form's paths: a test request nests them in `automation`. */
export const unnestIssues = (issues: readonly Issue[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: path.replace(/^automation\./, ''), message }))
