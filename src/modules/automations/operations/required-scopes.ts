/**
 * What a narrowed key may have an automation read and do: what its scopes let it read and do by itself (spec 5.5). It is looked at
 * when the automation is saved, turned on or tried out; a run has the rights of who saved it.
 */
import type { Context } from '../../../core/context.ts'
import type { EventKind } from '../../../core/event.ts'
import { placeholderNames } from '../../../core/placeholder-names.ts'
import { requireReadableNames, requireScope, type Scope } from '../../../core/scopes.ts'
import type { Action, Conditions, Trigger } from '../schema.ts'
import { EVENT_PREFIX } from './judge.ts'

/** Every kind of event. */
type Kinds = { kinds: readonly EventKind[] }
type Definition = { trigger: Trigger; conditions: Conditions; actions: readonly Action[] }

const ofSubject = (subject: string): Scope => (subject === 'lead' ? 'crm:write' : 'contacts:write')

/** The scope of the endpoint that does by itself what the action does; null where the action changes nothing. */
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
  // What it carries out is looked at by `requireReadableCalls`.
  call_webhook: () => null,
  stop_if: () => null,
  wait: () => null,
}

const doneBy = (action: Action): Scope | null =>
  (DONE_BY[action.type] as (action: Action) => Scope | null)(action)

const fieldsOf = ({ conditions }: Conditions): string[] => conditions.map(({ field }) => field)

/** Refuses a key that is narrowed to scopes an event that it may not read. */
export function requireReadable(ctx: Context, { kinds }: Kinds, name: string): void {
  const kind = kinds.find((one) => one.name === name)
  if (kind) requireScope(ctx, kind.scope, name)
}

/** Refuses `insufficient_scope` where an action, a condition or a placeholder is beyond the key's scopes. */
export function requireScopesOf(ctx: Context, tools: Kinds, definition: Definition): void {
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
    requireReadable(ctx, tools, trigger.event)
}
