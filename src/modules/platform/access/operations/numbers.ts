/** Numbers of a workspace, connected and changed by its admins. */
import { randomBytes } from 'node:crypto'
import { realTime } from '../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import type { OperatorNumber } from '../../../../operator/port.ts'
import { authorOf, recordBy } from '../../workspaces/operations/activity.ts'
import {
  DISCONNECTED_HERE,
  disconnectNumber,
  type NumberPatch,
  setPhoneNumber,
} from '../../workspaces/operations/number-credentials.ts'
import { applyNumberAnswer, type CheckedNumber } from '../../workspaces/operations/number-finding.ts'
import {
  addPhoneNumber,
  listPhoneNumbers,
  type NewNumber,
  OPERATOR_CALLBACK_PATH,
  refuseRealNumber,
} from '../../workspaces/operations/phone-numbers.ts'

const SECRET_BYTES = 24

/** Creates the token that verifies the operator's webhook, for a number that is connected without one. */
const newVerifyToken = (): string => randomBytes(SECRET_BYTES).toString('base64url')

async function showNumber(ctx: Context, id: string) {
  const number = isUuid(id)
    ? (await listPhoneNumbers(ctx)).find((phoneNumber) => phoneNumber.id === id)
    : undefined
  return number ?? refuse('not_found', `Number ${id} not found. See GET /phone-numbers.`)
}

const log = (ctx: Context) => ({ by: authorOf(ctx), workspaceId: ctx.workspace.id, at: ctx.now })

/** Returns the callback URL for the operator's reports about the workspace's numbers. */
export const operatorCallbackUrl = ({ siteUrl, workspace }: Context): string =>
  `${siteUrl}${OPERATOR_CALLBACK_PATH}/${workspace.id}`

/**
 * Connects a number; a sandbox can connect only simulated numbers. The verify token is returned only here.
 */
export async function connectNumber(ctx: Context, newNumber: Omit<NewNumber, 'workspaceId'>) {
  refuseRealNumber(ctx.workspace, newNumber.operator)
  const verifyToken = newNumber.verifyToken ?? newVerifyToken()
  const input = { ...newNumber, verifyToken, workspaceId: ctx.workspace.id }
  const { phoneNumberId } = await addPhoneNumber(ctx.tx, input, realTime(ctx.now, ctx.workspace), ctx.sealer)
  await recordBy(ctx.tx, log(ctx), 'number.added', { phoneNumberId, operator: newNumber.operator })
  touch(ctx, { number: phoneNumberId })
  return { number: await showNumber(ctx, phoneNumberId), verifyToken }
}

/** Replaces credentials or sending limits. Stored secrets are never returned. */
export async function changeNumber(ctx: Context, id: string, patch: NumberPatch) {
  const { id: phoneNumberId } = await showNumber(ctx, id)
  const realNow = realTime(ctx.now, ctx.workspace)
  await setPhoneNumber(ctx.tx, { phoneNumberId }, patch, realNow, ctx.sealer)
  const changed = Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field)
  if (changed.length > 0) await recordBy(ctx.tx, log(ctx), 'number.changed', { phoneNumberId, changed })
  touch(ctx, { number: phoneNumberId })
  return showNumber(ctx, id)
}

/** Disconnects a number: deletes its credentials and keeps its chats. A new token connects it again. */
export async function removeNumber(ctx: Context, id: string) {
  const { id: phoneNumberId } = await showNumber(ctx, id)
  await disconnectNumber(ctx.tx, phoneNumberId, realTime(ctx.now, ctx.workspace), ctx.sealer)
  await recordBy(ctx.tx, log(ctx), 'number.disconnected', { phoneNumberId })
  touch(ctx, { number: phoneNumberId })
  return showNumber(ctx, id)
}

/**
 * Asks the operator for the state of a number and stores it. `problem` is the reason that the request failed
 * or was refused.
 */
export async function checkNumber(ctx: OutsideContext, id: string) {
  const { workspace, outside } = ctx
  // The composition root opens numbers with their restrictions and their sealed token.
  const number = (isUuid(id) ? await outside.operatorNumber(workspace.id, id) : undefined) as
    | (OperatorNumber & CheckedNumber & { stateReason: string | null })
    | undefined
  if (!number) return refuse('not_found', `Number ${id} not found. See GET /phone-numbers.`)
  if (number.stateReason === DISCONNECTED_HERE)
    refuse('conflict', 'This number was disconnected. Send a new token to connect it again.')
  const answer = await outside.operator.findNumber(number)
  const updated = await ctx.transaction(async (tenant) => {
    const key = { workspaceId: workspace.id, phoneNumberId: id }
    const realNow = realTime(tenant.now, workspace)
    await applyNumberAnswer(tenant.tx.sql, { key, number, answered: answer, at: realNow })
    touch(tenant, { number: id })
    return showNumber(tenant, id)
  })
  const problem =
    answer.kind === 'refused'
      ? answer.error.message
      : answer.kind === 'done'
        ? null
        : "The operator didn't answer. Try again shortly."
  return { number: updated, ok: problem === null && updated.state === 'active', problem }
}
