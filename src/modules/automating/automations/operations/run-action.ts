/** Maps each action to the operation that people use for it. */
import type { Action, ActionOf, ActionType } from '../action-schema.ts'
import {
  assignConversation,
  noteOnConversation,
  setConversation,
  startBotInChat,
} from './act-on-conversation.ts'
import { assignLead, createLead, createTaskOfLead, noteOnLead, setStage } from './act-on-lead.ts'
import { requestReviewOfEvent, sendTemplate, sendText } from './act-on-messages.ts'
import { addTags, removeTags, setField } from './act-on-values.ts'
import type { ActionContext, Result } from './action-context.ts'

/** The actions that the run itself carries out, not this file. */
export type Flow = 'wait' | 'stop_if' | 'call_webhook'
export type RunnableAction = Exclude<Action, { type: Flow }>

type Handlers = {
  [Type in Exclude<ActionType, Flow>]: (context: ActionContext, action: ActionOf<Type>) => Promise<Result>
}

const HANDLERS: Handlers = {
  send_template: sendTemplate,
  send_text: sendText,
  assign_conversation: assignConversation,
  assign_lead: assignLead,
  add_tags: addTags,
  remove_tags: removeTags,
  set_field: setField,
  set_stage: setStage,
  create_lead: createLead,
  create_task: createTaskOfLead,
  add_note: (context, action) =>
    action.on === 'lead' ? noteOnLead(context, action) : noteOnConversation(context, action),
  set_conversation: setConversation,
  start_bot: startBotInChat,
  request_review: requestReviewOfEvent,
}

/**
 * Carries out an action. Throws a `Refusal` if the action fails, and `SkippedStep` if the action does not
 * apply here.
 */
export const runAction = (context: ActionContext, action: RunnableAction): Promise<Result> =>
  (HANDLERS[action.type] as (context: ActionContext, action: RunnableAction) => Promise<Result>)(
    context,
    action,
  )
