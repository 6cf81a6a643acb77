/**
 * Tests an automation: carries it out in a transaction that is rolled back. Nothing is sent before a commit.
 */
import type { z } from 'zod'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuseReference } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { requireScope } from '../../../../core/scopes.ts'
import { findContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { findInboxConversation } from '../../../messaging/conversations/operations/read-conversations.ts'
import { getLead } from '../../../selling/crm/operations/find-lead.ts'
import type { Action, Conditions } from '../action-schema.ts'
import { valueAt } from '../known-paths.ts'
import { findEvent } from '../queries/runs.ts'
import type { AutomationTest, AutomationTestResult } from '../schema.ts'
import { SkippedStep } from './action-context.ts'
import { getAutomation } from './automations.ts'
import { checkDefinition } from './check-definition.ts'
import { evaluateConditions } from './evaluate-conditions.ts'
import type { Checked } from './judge-definition.ts'
import { requireReadable, requireScopesOf } from './required-scopes.ts'
import { runAction } from './run-action.ts'
import { CONTACT_PATHS, type RunEvent, readScene, type Scene } from './subjects.ts'

/** The path of a definition that is not stored. */
export const DEFINITION = 'automation.'

type Result = z.input<typeof AutomationTestResult>
type TestedDefinition = Checked & { id: string; name: string }

async function resolveDefinition(ctx: Context, test: AutomationTest): Promise<TestedDefinition> {
  if (test.automationId !== undefined) {
    requireScope(ctx, 'automations:read', 'A stored automation')
    const automation = await getAutomation(ctx, test.automationId)
    requireScopesOf(ctx, automation)
    return automation
  }
  const { name, ...definition } = test.automation!
  requireScopesOf(ctx, definition)
  return { id: newId(), name, ...(await checkDefinition(ctx, ctx.eventKinds, definition, DEFINITION)) }
}

/** Returns the event of the test: from the log, or the example of its kind with the given data on top. */
async function eventOf(
  ctx: Context,
  { trigger }: TestedDefinition,
  test: AutomationTest,
): Promise<{ event: RunEvent | undefined; contactId: string | null }> {
  if (test.eventId !== undefined) {
    const event = await findEvent(ctx, test.eventId)
    if (!event) return refuseReference('eventId', 'Event not found. See GET /events.')
    requireReadable(ctx, event.name)
    return { event, contactId: event.contactId }
  }
  const name = test.event ?? ('event' in trigger ? trigger.event : undefined)
  if (name === undefined) return { event: undefined, contactId: null }
  const kind = ctx.eventKinds.find((kind) => kind.name === name)
  if (!kind) throw invalid([{ path: 'event', message: 'Must be an event of GET /webhooks/events.' }])
  const data = { ...(test.data === undefined ? kind.example : {}), ...test.data }
  return {
    event: { id: null, name, data: data as Record<string, unknown>, createdAt: ctx.now },
    contactId: test.data === undefined ? null : await findContactOfData(ctx, test.data),
  }
}

/** Returns the contact of the lead, chat or number in the given data, like the log would find it. */
async function findContactOfData(ctx: Context, data: Record<string, unknown>): Promise<string | null> {
  const textAt = (path: string): string | undefined => {
    const value = valueAt(data, path.split('.'))
    return typeof value === 'string' ? value : undefined
  }
  if (CONTACT_PATHS.some((path) => textAt(path) !== undefined)) return null
  const leadRef = textAt('lead.id') ?? textAt('leadId') ?? textAt('lead.phone')
  const lead = leadRef === undefined ? undefined : await getLead(ctx, leadRef).catch(ignoreMissing)
  if (lead) return lead.contactId
  const chat = await findInboxConversation(ctx, textAt('conversationId') ?? '')
  const phone = textAt('phone')
  return chat?.contactId ?? (phone === undefined ? undefined : await findContact(ctx, phone))?.id ?? null
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'not_found') return undefined
  throw error
}

async function contactIdOf(ctx: Context, { contactId }: AutomationTest): Promise<string | null> {
  if (contactId === undefined) return null
  requireScope(ctx, 'contacts:read', 'contactId')
  const contact = await findContact(ctx, contactId)
  return contact?.id ?? refuseReference('contactId', 'Contact not found. See GET /contacts.')
}

/** Returns the results of a test. The caller must roll back the transaction. */
export async function runTrial(ctx: Context, test: AutomationTest): Promise<Result> {
  const tested = await resolveDefinition(ctx, test)
  const { event, contactId } = await eventOf(ctx, tested, test)
  const subject = {
    contactId: (await contactIdOf(ctx, test)) ?? contactId,
    leadId: null,
    conversationId: null,
  }
  const scene = await readScene(ctx, subject, event)
  const evaluation = await evaluateConditions(ctx, scene, tested.conditions)
  const platformCtx: Context = {
    ...ctx,
    actor: { kind: 'platform' },
    via: 'platform',
    cause: { automationId: tested.id, name: tested.name, runId: newId(), chain: [tested.id] },
  }
  const actions: Result['actions'] = []
  for (const action of tested.actions) {
    const currentScene = await readScene(platformCtx, subject, event)
    const result = await savepoint(platformCtx, () =>
      tryAction(platformCtx, currentScene, action, tested.names),
    )
    actions.push(result)
    if (result.status === 'failed' || result.status === 'stopped') break
  }
  const isTriggered = !event || !('event' in tested.trigger) || tested.trigger.event === event.name
  return {
    starts: isTriggered && evaluation.matches,
    conditions: conditionsOf(tested.conditions, evaluation.results),
    actions,
  }
}

const conditionsOf = ({ conditions }: Conditions, results: boolean[]): Result['conditions'] =>
  conditions.map(({ field, op, value }, i) => ({ field, op, value, held: results[i]! }))

type TriedAction = Result['actions'][number]

/** Rolls back a refused action, so that the next action does not see its changes. */
async function savepoint(ctx: Context, work: () => Promise<TriedAction>): Promise<TriedAction> {
  await ctx.tx.sql('savepoint tried_action')
  const outcome = await work()
  if (outcome.status === 'failed' || outcome.status === 'skipped')
    await ctx.tx.sql('rollback to savepoint tried_action')
  return outcome
}

async function tryAction(
  ctx: Context,
  scene: Scene,
  action: Action,
  names: Record<string, string>,
): Promise<TriedAction> {
  const answer = (status: TriedAction['status'], reason: string | null, result: TriedAction['result']) => ({
    action: action.type,
    status,
    reason,
    result,
  })
  if (action.type === 'wait')
    return answer('waiting', null, { until: later(ctx.now, action.minutes * MINUTE_MS).toISOString() })
  if (action.type === 'call_webhook') return answer('done', null, { url: action.url })
  if (action.type === 'stop_if') {
    const { matches } = await evaluateConditions(ctx, scene, action.conditions)
    return answer(matches ? 'stopped' : 'done', null, { stopped: matches })
  }
  try {
    return answer('done', null, await runAction({ ctx, scene, names }, action))
  } catch (error) {
    if (error instanceof SkippedStep) return answer('skipped', error.message, null)
    if (error instanceof Refusal) return answer('failed', error.message, null)
    throw error
  }
}

/** Carries the result out of a transaction that is rolled back. */
export class Undone extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('a test leaves nothing')
    this.result = result
  }
}
