/**
 * Forms that are designed here (src/modules/messaging/flows/DECISIONS.md): created, changed, published, withdrawn, and deleted at
 * the operator, then stored. A request that died between the two can be repeated: it finds what the operator has.
 */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import type { Answered, NewOperatorFlow, OperatorFlow, OperatorNumber } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { getBusinessAccount } from '../../../platform/workspaces/operations/business-accounts.ts'
import { connectionIdOf } from '../../../platform/workspaces/operations/connection-id.ts'
import { numberFor } from '../../templates/operations/speak-for-account.ts'
import { flowJsonOf } from '../design/flow-json.ts'
import type { FlowScreens } from '../design/schema.ts'
import * as queries from '../queries/flows.ts'
import type { FlowPatch, NewFlow } from '../schema.ts'
import { readOperatorForms } from './operator-forms.ts'
import { getFlow } from './read-form.ts'

/** The time for which a request keeps others from the same form. It is longer than its calls can take. */
const LEASE_MS = 90 * SECOND_MS
/** The operator's subcode for a name that another form of the account has. */
const NAME_TAKEN = 4016019
/** The operator's code for an id that it does not know. */
const UNKNOWN_OBJECT = 100

type FlowRow = queries.FlowRow

const isNameTaken = (answered: Answered<unknown>): boolean =>
  answered.kind === 'refused' && answered.error.subcode === NAME_TAKEN

/** Creates a form at the operator, as a draft, and stores it with its design. */
export async function createForm(ctx: AnsweringContext<FlowRow>, body: NewFlow): Promise<FlowRow> {
  const { account, mayExist } = await ctx.transaction(async (unit) => {
    const account = await getBusinessAccount(unit, body.wabaConnectionId)
    // The name is reserved before it is looked up: a request that creates the form now has stored it or still has the name.
    const claim = await queries.claimFlowName(unit, account.accountId, body.name, later(unit.now, LEASE_MS))
    const existing = await queries.findFlowByName(unit, account.accountId, body.name)
    if (existing)
      refuse('conflict', `The form ${body.name} already exists. Choose another name.`, {
        flowId: existing.id,
      })
    if (!claim) refuse('conflict', `The form ${body.name} is being created. Try again when that is done.`)
    return { account, mayExist: claim!.mayExist }
  })
  const flow: NewOperatorFlow = {
    name: body.name,
    categories: body.categories,
    json: flowJsonOf(body.screens),
  }
  let isUnknown = mayExist
  try {
    const number = await numberFor(ctx, account.phoneNumberId)
    const created = await ctx.outside.operator.createFlow(number, flow)
    // From here on the operator can have the form, also if its answer is not stored.
    isUnknown ||= created.kind === 'done' || created.kind === 'unknown'
    const answered =
      created.kind === 'unknown' || (isUnknown && isNameTaken(created))
        ? await adopt(ctx, number, flow, created)
        : created
    if (answered.kind !== 'done') throw operatorRefusal(answered)
    return await ctx.lastTransaction(async (unit) => {
      await queries.deleteFlowClaim(unit, account.accountId, body.name)
      const row = await queries.saveDesignedFlow(unit, {
        id: newId(),
        accountId: account.accountId,
        operatorId: answered.value.id,
        name: body.name,
        categories: [...body.categories],
        status: 'draft',
        screens: body.screens,
        faults: answered.value.faults,
      })
      touch(unit, { flow: row.id })
      return row
    })
  } catch (error) {
    // A claim that stays says that the operator may have the form. If this fails too, the claim ends by its time.
    await ctx
      .transaction((unit) =>
        isUnknown
          ? queries.endFlowClaim(unit, account.accountId, body.name)
          : queries.deleteFlowClaim(unit, account.accountId, body.name),
      )
      .catch(() => {})
    throw error
  }
}

/** Finds the form of an earlier request whose answer was lost, and gives it this design. */
async function adopt(
  ctx: OutsideContext,
  number: OperatorNumber,
  flow: NewOperatorFlow,
  created: Answered<{ id: string; faults: string[] }>,
): Promise<Answered<{ id: string; faults: string[] }>> {
  const found = await findByName(ctx, number, flow.name)
  if (found.kind !== 'done') return found
  if (found.value?.status.toUpperCase() !== 'DRAFT') return created
  const { id } = found.value
  const changed = await ctx.outside.operator.changeFlow(number, id, flow)
  return changed.kind === 'done' ? { kind: 'done', value: { id, ...changed.value } } : changed
}

async function findByName(
  ctx: OutsideContext,
  number: OperatorNumber,
  name: string,
): Promise<Answered<OperatorFlow | undefined>> {
  const isNamed = (flow: OperatorFlow): boolean => flow.name === name
  const read = await readOperatorForms(ctx, number, isNamed)
  return read.kind === 'done' ? { kind: 'done', value: read.value.flows.find(isNamed) } : read
}

type Act = {
  ctx: AnsweringContext<FlowRow | null>
  ref: string
  /** Checks the stored form, in the transaction that leases it. */
  check(unit: Context, row: FlowRow): Promise<void> | void
  call(number: OperatorNumber, row: FlowRow): Promise<Answered<Partial<FlowRow>>>
  /** Stores the outcome; null: the form is deleted. */
  save(unit: Context, row: FlowRow, value: Partial<FlowRow>): Promise<FlowRow | null>
}

/** Leases a form, calls the operator, and stores the outcome. */
async function act({ ctx, ref, check, call, save }: Act): Promise<FlowRow | null> {
  const { row, account } = await ctx.transaction(async (unit) => {
    const row = await getFlow(unit, ref)
    await check(unit, row)
    if (!(await queries.leaseFlow(unit, row.id, later(unit.now, LEASE_MS))))
      refuse('conflict', `Another request is changing the form ${row.name}. Try again when that is done.`, {
        flowId: row.id,
      })
    const account = await getBusinessAccount(unit, connectionIdOf(ctx.workspace.id, row.accountId))
    return { row, account }
  })
  try {
    const number = await numberFor(ctx, account.phoneNumberId)
    const answered = await call(number, row)
    if (answered.kind !== 'done') throw operatorRefusal(answered)
    return await ctx.lastTransaction(async (unit) => {
      await queries.releaseFlow(unit, row.id)
      touch(unit, { flow: row.id })
      return save(unit, row, answered.value)
    })
  } catch (error) {
    await ctx.transaction((unit) => queries.releaseFlow(unit, row.id)).catch(() => {})
    throw error
  }
}

const mustBeDraft = ({ name, status, id }: FlowRow, verb: string): void => {
  if (status !== 'draft')
    refuse('conflict', `The form ${name} is ${status}. Only a draft can be ${verb}.`, { flowId: id })
}

/** Changes the name, categories, or design of a draft. */
export async function changeForm(
  ctx: AnsweringContext<FlowRow | null>,
  ref: string,
  patch: FlowPatch,
): Promise<FlowRow | null> {
  const outside = ctx.outside.operator
  return act({
    ctx,
    ref,
    async check(unit, row) {
      mustBeDraft(row, 'changed')
      if (patch.screens === undefined && row.screens === null)
        refuse(
          'conflict',
          `The form ${row.name} was created at the operator. Change it there, or send its screens.`,
          {
            flowId: row.id,
          },
        )
      const other =
        patch.name === undefined ? undefined : await queries.findFlowByName(unit, row.accountId, patch.name)
      if (other && other.id !== row.id)
        refuse('conflict', `The form ${patch.name} already exists. Choose another name.`, {
          flowId: other.id,
        })
    },
    async call(number, row) {
      const screens = patch.screens ?? (row.screens as FlowScreens)
      const name = patch.name ?? row.name
      const categories = patch.categories ?? row.categories
      const answered = await outside.changeFlow(number, row.operatorId, {
        name,
        categories,
        json: flowJsonOf(screens),
      })
      return answered.kind === 'done'
        ? { kind: 'done', value: { name, categories, screens, faults: answered.value.faults } }
        : answered
    },
    save: (unit, row, value) => queries.updateFlow(unit, { ...row, ...value }),
  })
}

/** Calls the operator; after an unknown answer, asks for the form's state. Returns whether it has the state. */
async function move(
  ctx: OutsideContext,
  number: OperatorNumber,
  row: FlowRow,
  state: 'published' | 'deprecated',
): Promise<Answered<Partial<FlowRow>>> {
  const { operator } = ctx.outside
  const answered =
    state === 'published'
      ? await operator.publishFlow(number, row.operatorId)
      : await operator.deprecateFlow(number, row.operatorId)
  if (answered.kind === 'done') return { kind: 'done', value: { status: state } }
  if (answered.kind === 'not_sent') return answered
  // An earlier request may have done it, and its answer was lost.
  const found = await operator.findFlow(number, row.operatorId)
  return found.kind === 'done' && found.value.status.toLowerCase() === state
    ? { kind: 'done', value: { status: state } }
    : answered
}

/** Publishes a draft, so that it can be sent. A published form cannot be changed any more. */
export const publishForm = (ctx: AnsweringContext<FlowRow | null>, ref: string): Promise<FlowRow | null> =>
  act({
    ctx,
    ref,
    check(_unit, row) {
      mustBeDraft(row, 'published')
      const faults = (row.faults ?? []) as string[]
      if (faults.length > 0)
        throw new Refusal('conflict', `The form ${row.name} has errors: ${faults.slice(0, 3).join(' ')}`, {
          flowId: row.id,
        })
    },
    call: (number, row) => move(ctx, number, row, 'published'),
    async save(unit, row, value) {
      await recordActivity(unit, 'flow.published', { flowId: row.id, name: row.name })
      return queries.updateFlow(unit, { ...row, ...value })
    },
  })

/** Withdraws a published form: it can neither be sent nor opened any more. */
export const deprecateForm = (ctx: AnsweringContext<FlowRow | null>, ref: string): Promise<FlowRow | null> =>
  act({
    ctx,
    ref,
    check(_unit, row) {
      if (row.status !== 'published' && row.status !== 'throttled')
        refuse('conflict', `The form ${row.name} is ${row.status}. Only a published form can be withdrawn.`, {
          flowId: row.id,
        })
    },
    call: (number, row) => move(ctx, number, row, 'deprecated'),
    async save(unit, row, value) {
      await recordActivity(unit, 'flow.deprecated', { flowId: row.id, name: row.name })
      return queries.updateFlow(unit, { ...row, ...value })
    },
  })

/** Deletes a draft, at the operator and here. */
export const deleteForm = (ctx: AnsweringContext<FlowRow | null>, ref: string): Promise<FlowRow | null> =>
  act({
    ctx,
    ref,
    check: (_unit, row) => mustBeDraft(row, 'deleted'),
    async call(number, row) {
      const answered = await ctx.outside.operator.deleteFlow(number, row.operatorId)
      if (answered.kind === 'done') return { kind: 'done', value: {} }
      if (answered.kind === 'not_sent') return answered
      // The operator may no longer have it: an earlier request deleted it, and its answer was lost.
      const found = await ctx.outside.operator.findFlow(number, row.operatorId)
      return found.kind === 'refused' && found.error.code === UNKNOWN_OBJECT
        ? { kind: 'done', value: {} }
        : answered
    },
    async save(unit, row) {
      await recordActivity(unit, 'flow.deleted', { flowId: row.id, name: row.name })
      await queries.deleteFlow(unit, row.id)
      return null
    },
  })
