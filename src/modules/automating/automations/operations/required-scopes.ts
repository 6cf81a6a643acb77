/**
 * Limits the automations of a key with scopes to the key's own rights (spec 5.5). Checked when an automation
 * is saved, turned on, or tested. Runs are not checked again: they have the rights of the member who saved
 * the automation.
 */
import type { Context } from '../../../../core/context.ts'
import { requireReadableNames, requireScope, type Scope } from '../../../../core/scopes.ts'
import { placeholderNames } from '../../../../core/values/placeholder-names.ts'
import type { Action, Conditions } from '../action-schema.ts'
import type { Trigger } from '../schema.ts'
import { EVENT_PREFIX } from './evaluate-conditions.ts'

type Definition = { trigger: Trigger; conditions: Conditions; actions: readonly Action[] }

const ofSubject = (subject: string): Scope => (subject === 'lead' ? 'crm:write' : 'contacts:write')

/** The scope of the endpoint that does the same as the action; null if the action changes nothing. */
const DONE_BY: { [Type in Action['type']]: (action: Extract<Action, { type: Type }>) => Scope | null } = {
  send_template: () => 'messages:send',
  send_text: () => 'messages:send',
  start_bot: () => 'messages:send',
  assign_conversation: () => 'conversations:write',
  set_conversation: () => 'conversations:write',
  assign_lead: () => 'crm:write',
  set_stage: () => 'crm:write',
  create_lead: () => 'crm:write',
  create_task: () => 'crm:write',
  add_note: ({ on }) => (on === 'lead' ? 'crm:write' : 'conversations:write'),
  add_tags: ({ on }) => ofSubject(on),
  remove_tags: ({ on }) => ofSubject(on),
  set_field: ({ field }) => ofSubject(field.split('.', 1)[0]!),
  request_review: () => 'reviews:write',
  // `requireReadableCalls` checks the data of the call.
  call_webhook: () => null,
  stop_if: () => null,
  wait: () => null,
}

const doneBy = (action: Action): Scope | null =>
  (DONE_BY[action.type] as (action: Action) => Scope | null)(action)

const fieldsOf = ({ conditions }: Conditions): string[] => conditions.map(({ field }) => field)

/** Refuses `insufficient_scope` if the key has scopes that don't include the event. */
export function requireReadable(ctx: Context, name: string): void {
  const kind = ctx.eventKinds.find((kind) => kind.name === name)
  if (kind) requireScope(ctx, kind.scope, name)
}

/**
 * Refuses `insufficient_scope` if an action, a condition or a placeholder needs a scope that the key doesn't
 * have.
 */
export function requireScopesOf(ctx: Context, definition: Definition): void {
  const { trigger, conditions, actions } = definition
  for (const action of actions) {
    const scope = doneBy(action)
    if (scope !== null) requireScope(ctx, scope, `The action ${action.type}`)
  }
  const names = [
    ...fieldsOf(conditions),
    ...actions.flatMap((action) => (action.type === 'stop_if' ? fieldsOf(action.conditions) : [])),
    ...placeholderNames(actions),
  ]
  requireReadableNames(ctx, names)
  if ('event' in trigger && names.some((name) => name.startsWith(EVENT_PREFIX)))
    requireReadable(ctx, trigger.event)
}
