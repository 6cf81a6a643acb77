/**
 * Carries out the steps of scripts (messages, sessions, and other effects) in the transaction of the
 * customer's message.
 */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Context, Unit } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { Refusal } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { FoundContact } from '../../../messaging/contacts/operations/find-contact.ts'
import {
  type AutomaticBody,
  sendAutomatically,
} from '../../../messaging/messages/sending/operations/send-automatically.ts'
import { deleteSessions, type SessionRow, upsertSessions } from '../queries/sessions.ts'
import { upsertVisits, type VisitStep } from '../queries/visits.ts'
import type { BotDefinition } from '../schema.ts'
import { tapId } from '../script/option-ids.ts'
import type { BotMessage, CustomerInput, Played } from '../script/play-script.ts'
import { applyEffects } from './apply-effects.ts'

/** A step of one chat; `before` is its session so far. Each chat appears once in a list. */
export type Step = {
  ctx: Context
  contact: FoundContact
  conversationId: string
  phoneNumberId: string
  bot: { id: string; name: string; version: number; definition: BotDefinition }
  before: SessionRow | undefined
  played: Played
  /** The message is an answer of the assistant. */
  byAssistant?: boolean
  /** The customer's messages that wait for the answer to a request, if the step leads to one. */
  pending?: CustomerInput[]
}

/**
 * The result of a step: the session that waits now, if any. `silenced`: the chat has had too many automatic
 * messages.
 */
export type StepResult = { silenced: boolean; session: SessionRow | undefined; refusal: Refusal | undefined }

const bodyOf = ({ text, menu }: BotMessage, sessionId: string): AutomaticBody => {
  if (menu === null) return { type: 'text', text }
  const id = (option: string) => tapId({ session: sessionId, node: menu.id, option })
  const interactive =
    menu.type === 'buttons'
      ? {
          type: 'button' as const,
          body: { text },
          action: {
            buttons: menu.options.map((option) => ({
              type: 'reply' as const,
              reply: { id: id(option.id), title: option.title },
            })),
          },
        }
      : {
          type: 'list' as const,
          body: { text },
          action: {
            button: menu.button,
            sections: [
              {
                rows: menu.options.map(({ id: option, title, description }) => ({
                  id: id(option),
                  title,
                  ...(description === undefined ? {} : { description }),
                })),
              },
            ],
          },
        }
  return { type: 'interactive', payload: { type: 'interactive', interactive } }
}

/** Returns the session after a step that waits. */
function sessionAfter(
  { ctx, conversationId, bot, before, played, byAssistant, pending }: Step,
  id: string,
): SessionRow {
  const moved = before !== undefined && before.node !== played.node
  return {
    workspaceId: ctx.workspace.id,
    conversationId,
    id,
    botId: bot.id,
    version: bot.version,
    node: played.node!,
    answers: played.answers,
    misses: played.misses,
    // The first one is the message that led to the request.
    pending: played.calls ? [{ text: played.text }, ...(pending ?? [])] : [],
    step: (before?.step ?? 0) + 1,
    leftNode: moved ? before.node : (before?.leftNode ?? null),
    leftAt: moved ? ctx.now : (before?.leftAt ?? null),
    aiAnswers: (before?.aiAnswers ?? 0) + (byAssistant ? 1 : 0),
    startedAt: before?.startedAt ?? ctx.now,
    runAt: realTime(later(ctx.now, bot.definition.idleMinutes * MINUTE_MS), ctx.workspace),
    runOffsetMs: runOffsetOf(ctx.workspace),
  }
}

/** Replaces the step with a handover, because its message was refused and a teammate must answer. */
const withHandover = (step: Step, { message }: Refusal): Step => ({
  ...step,
  played: {
    ...step.played,
    state: 'handed_over',
    node: null,
    asks: null,
    calls: null,
    handover: { assign: null, note: `The bot couldn't answer: ${message}` },
  },
})

/** Returns where the chat came by a step. */
const visitOf = ({ ctx, conversationId, bot, before, played }: Step, id: string): VisitStep => ({
  workspaceId: ctx.workspace.id,
  id,
  botId: bot.id,
  version: bot.version,
  conversationId,
  nodes: played.reached,
  node: played.node ?? played.reached.at(-1) ?? before?.node ?? null,
  state: played.state,
  startedAt: before?.startedAt ?? ctx.now,
  updatedAt: ctx.now,
})

/** Returns the step with its bot as the source of its messages and changes. */
const asBot = <One extends Step>(step: One): One => ({
  ...step,
  ctx: { ...step.ctx, source: { kind: 'bot', id: step.bot.id, name: step.bot.name } },
})

/**
 * Carries out steps, and returns one result for each, in order. In a chat with too many automatic messages
 * the step has no effect, and its session stays the same.
 */
export async function carryOut(unit: Unit, plannedSteps: Step[]): Promise<StepResult[]> {
  const steps = plannedSteps.map(asBot)
  const ids = steps.map(({ before }) => before?.id ?? newId())
  const outcomes = await sendAutomatically(
    unit,
    steps.map((step, i) => ({
      ...step,
      bodies: step.played.said.map((message) => bodyOf(message, ids[i]!)),
    })),
  )
  const waiting: SessionRow[] = []
  const finished: Step[] = []
  const done: Step[] = []
  const visits: VisitStep[] = []
  const results = steps.map((plannedStep, i): StepResult => {
    const outcome = outcomes[i]!
    if (outcome === 'silenced') return { silenced: true, session: plannedStep.before, refusal: undefined }
    const refusal = outcome instanceof Refusal ? outcome : undefined
    const step = refusal ? withHandover(plannedStep, refusal) : plannedStep
    done.push(step)
    visits.push(visitOf(step, ids[i]!))
    if (step.played.state !== 'waiting') {
      finished.push(step)
      return { silenced: false, session: undefined, refusal }
    }
    const session = sessionAfter(step, ids[i]!)
    waiting.push(session)
    return { silenced: false, session, refusal }
  })
  if (waiting.length > 0) await upsertSessions(unit.tx, waiting)
  if (finished.length > 0)
    await deleteSessions(
      unit.tx,
      finished.map(({ ctx, conversationId }) => ({ workspaceId: ctx.workspace.id, conversationId })),
    )
  if (visits.length > 0) await upsertVisits(unit.tx, visits)
  // Lists rarely have more than one step with other effects.
  for (const step of done) await applyEffects(step)
  return results
}
