/** Creates, changes and deletes automations, and lists their runs. */
import type { z } from 'zod'
import { type Context, roleReaches } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { requireFresh } from '../../../../core/require-fresh.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { newWebhookSecret } from '../../../../core/values/webhook-secret.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import type { Action } from '../action-schema.ts'
import {
  type AutomationRow,
  countAutomations,
  deleteAutomationRow,
  findAutomationForUpdate,
  findAutomationRow,
  insertAutomation,
  listAutomationRows,
  type Stats,
  updateAutomationRow,
} from '../queries/automations.ts'
import { hasRuns, listActiveRuns, listRunRows, type RunRow } from '../queries/runs.ts'
import { updateTimes } from '../queries/states.ts'
import type { Run, RunFilter } from '../run-schema.ts'
import { AUTOMATIONS_MAX, type Automation, type AutomationPatch, type NewAutomation } from '../schema.ts'
import { AUTOMATION_TIMES } from '../wakes.ts'
import { checkDefinition } from './check-definition.ts'
import type { Definition } from './judge-definition.ts'
import { firstTimes } from './plan-schedules.ts'
import { requireReadable, requireScopesOf } from './required-scopes.ts'

type Saved = { row: AutomationRow & Stats; secret: string | null }

const NO_STATS: Stats = { done: 0, skipped: 0, failed: 0, lastRunAt: null }
const missing = (): never => refuse('not_found', 'Automation not found. See GET /automations.')

export const getAutomation = async (ctx: Context, id: string): Promise<AutomationRow & Stats> =>
  (isUuid(id) ? await findAutomationRow(ctx, id.toLowerCase()) : undefined) ?? missing()

export const listAutomations = (ctx: Context): Promise<(AutomationRow & Stats)[]> => listAutomationRows(ctx)

const callsOut = (actions: readonly Action[]): boolean => actions.some(({ type }) => type === 'call_webhook')

/** Returns the addresses that an automation calls, by path. `basePath` is the path of the definition. */
export const addressesOf = (actions: readonly Action[], basePath = ''): { path: string; url: string }[] =>
  actions.flatMap((action, i) =>
    action.type === 'call_webhook' ? [{ path: `${basePath}actions[${i}].url`, url: action.url }] : [],
  )

/**
 * A call sends the event to another server, so a key with scopes may only use events that it can read (spec
 * 5.5).
 */
function requireReadableCalls(ctx: Context, { trigger, actions }: Definition): void {
  if ('event' in trigger && callsOut(actions)) requireReadable(ctx, trigger.event)
}

/** Requires a recent confirmation for a new address, because events will be sent there. */
function requireFreshCalls(ctx: Context, before: readonly Action[], after: readonly Action[]): void {
  const knownUrls = new Set(addressesOf(before).map(({ url }) => url))
  if (addressesOf(after).some(({ url }) => !knownUrls.has(url))) requireFresh(ctx)
}

/**
 * Returns a secret with the first action that calls a webhook. Later saves keep the stored secret and return
 * null.
 */
function newSecret({ sealer }: Context, actions: readonly Action[], sealed: Buffer | null) {
  const secret = sealed === null && callsOut(actions) ? newWebhookSecret() : null
  return { secret, secretSealed: secret === null ? sealed : sealer.seal(secret) }
}

/** Stores an automation. Throws `invalid` for unknown names; refuses `conflict` above 100 automations. */
export async function createAutomation(ctx: Context, body: NewAutomation): Promise<Saved> {
  requireScopesOf(ctx, body)
  requireFreshCalls(ctx, [], body.actions)
  const checked = await checkDefinition(ctx, ctx.eventKinds, body)
  requireReadableCalls(ctx, checked)
  await lockInWorkspace(ctx.tx, ctx.workspace.id, 'automations')
  if ((await countAutomations(ctx)) >= AUTOMATIONS_MAX)
    refuse('conflict', `Automation limit reached (${AUTOMATIONS_MAX}). Delete one first.`)
  const { secret, secretSealed } = newSecret(ctx, checked.actions, null)
  const row: AutomationRow = {
    id: newId(),
    name: body.name,
    enabled: body.enabled,
    ...checked,
    secretSealed,
    disabledReason: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await insertAutomation(ctx, row)
  await begin(ctx, row)
  touch(ctx, { automation: row.id })
  return { row: { ...row, ...NO_STATS }, secret }
}

/** Starts a trigger's times from now, so that nothing earlier counts. */
async function begin(ctx: Context, row: AutomationRow): Promise<void> {
  await updateTimes(ctx, row.id, firstTimes(ctx, row))
  ctx.wakes.add(AUTOMATION_TIMES)
}

/** Changes an automation. Started runs continue with the actions that they started with. */
export async function changeAutomation(ctx: Context, id: string, patch: AutomationPatch): Promise<Saved> {
  const before = (isUuid(id) ? await findAutomationForUpdate(ctx, id.toLowerCase()) : undefined) ?? missing()
  if (Object.values(patch).every((value) => value === undefined)) return { row: before, secret: null }
  const redefined = (patch.trigger ?? patch.conditions ?? patch.actions) !== undefined
  const definition = {
    trigger: patch.trigger ?? before.trigger,
    conditions: patch.conditions ?? before.conditions,
    actions: patch.actions ?? before.actions,
  }
  requireFreshCalls(ctx, before.actions, definition.actions)
  // Turning on an automation runs its actions, so that needs the scopes too.
  if (redefined || (patch.enabled && !before.enabled)) requireScopesOf(ctx, definition)
  const checked = redefined
    ? await checkDefinition(ctx, ctx.eventKinds, definition)
    : { ...definition, names: before.names }
  if (redefined) requireReadableCalls(ctx, checked)
  const enabled = patch.enabled ?? before.enabled
  const { secret, secretSealed } = newSecret(ctx, checked.actions, before.secretSealed)
  const row = {
    ...before,
    name: patch.name ?? before.name,
    enabled,
    ...checked,
    secretSealed,
    disabledReason: enabled ? null : before.disabledReason,
    updatedAt: ctx.now,
  }
  await updateAutomationRow(ctx, row)
  if (patch.trigger !== undefined || enabled !== before.enabled) await begin(ctx, row)
  touch(ctx, { automation: row.id })
  return { row, secret }
}

/** Deletes an automation. Its waiting runs do nothing more. */
export async function deleteAutomation(ctx: Context, id: string): Promise<void> {
  const row = (isUuid(id) ? await findAutomationForUpdate(ctx, id.toLowerCase()) : undefined) ?? missing()
  await deleteAutomationRow(ctx, row.id)
  touch(ctx, { automation: row.id })
}

/**
 * Returns one page of an automation's runs, newest first. Works after the automation is deleted, while its
 * runs are kept.
 */
export async function listRuns(ctx: Context, id: string, filter: CursorQuery & z.output<typeof RunFilter>) {
  const automationId = id.toLowerCase()
  if (!isUuid(id) || !(await hasRuns(ctx, automationId))) await getAutomation(ctx, id)
  const page = await listRunRows(ctx, automationId, {
    ...filter,
    contactId: filter.contactId?.toLowerCase(),
  })
  const { rows, nextCursor } = cutPage(page, filter.limit, (row) => row.id)
  return { runs: rows.map(presentRun), nextCursor }
}

/**
 * Returns an action as the caller may see it. The path of an address may be a secret, so only callers who may
 * change it see it.
 */
const presentAction = (ctx: Context, action: Action): Action => {
  const { actor } = ctx
  const mayChange =
    actor.kind !== 'platform' && roleReaches(actor.role, 'admin') && hasScope(ctx, 'automations:write')
  return action.type === 'call_webhook' && !mayChange
    ? { ...action, url: new URL(action.url).origin }
    : action
}

export const presentAutomation = (ctx: Context, row: AutomationRow & Stats): z.input<typeof Automation> => ({
  id: row.id,
  name: row.name,
  enabled: row.enabled,
  trigger: row.trigger,
  conditions: row.conditions,
  actions: row.actions.map((action) => presentAction(ctx, action)),
  stats: {
    done: row.done,
    skipped: row.skipped,
    failed: row.failed,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
  },
  disabledReason: row.disabledReason,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const presentRun = (row: RunRow): z.input<typeof Run> => ({
  id: row.id,
  eventId: row.eventId,
  subject: { contactId: row.contactId, leadId: row.leadId, conversationId: row.conversationId },
  status: row.status,
  reason: row.reason,
  steps: row.steps,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})

/** Returns the unfinished runs about a contact, in the order in which they continue. */
export const listRunsOfContact = async (ctx: Context, contactId: string, max: number) =>
  (await listActiveRuns(ctx, contactId, max)).map(({ createdAt, ...run }) => ({
    ...run,
    createdAt: createdAt.toISOString(),
  }))
