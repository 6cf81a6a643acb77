/** Connects and lists sending numbers. */
import { randomBytes, randomInt } from 'node:crypto'
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import type { Context, Tx, Unit, Workspace } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { lockInWorkspace } from '../../../../database/sql/workspace-lock.ts'
import { insertNumberLane, listShownNumbers } from '../queries/numbers.ts'
import * as queries from '../queries/workspaces.ts'
import { connectionIdOf } from './connection-id.ts'
import { shownHistory } from './history-sync.ts'
import { restrictionsAt } from './restrictions.ts'

/** The path of the operator's reports about numbers; the workspace's id follows. */
export const OPERATOR_CALLBACK_PATH = '/api/operator'

/**
 * Returns the token with which the operator verifies the callback of a workspace during a hosted signup. It is the same for all
 * processes before the number is stored.
 */
export const callbackTokenOf = (sealer: Pick<Sealer, 'secretFor'>, workspaceId: string): string =>
  sealer.secretFor(`operator callback ${workspaceId}`)

export type { NumberRecord } from '../queries/workspaces.ts'

const token = (): string => randomBytes(32).toString('base64url')

/** Returns a fictitious number: +1 555 and seven digits. */
const inventedNumber = (): string => `+1555${String(randomInt(10_000_000)).padStart(7, '0')}`

/** Connects an invented number of the simulated operator. */
export const addSimulatedNumber = (tx: Tx, workspaceId: string, now: Date, sealer: Sealer) =>
  addPhoneNumber(tx, { workspaceId, number: inventedNumber(), operator: 'simulator' }, now, sealer)

/** The time until a new number is checked at the operator. */
const FIRST_CHECK_MS = MINUTE_MS

export type NewNumber = {
  workspaceId: string
  /** E.164 with +. */
  number: string
  operator: 'simulator' | 'cloud'
  displayName?: string
  accountId?: string
  operatorId?: string
  token?: string
  appSecret?: string
  verifyToken?: string
}

const inventedId = (length: number): string =>
  Array.from({ length }, () => randomInt(10))
    .join('')
    .replace(/^0/, '1')

/**
 * Returns the account of the workspace's first simulated number, which all of them share, like those of one
 * business.
 */
async function simulatedAccount(tx: Tx, workspaceId: string): Promise<string> {
  await lockInWorkspace(tx, workspaceId, 'simulated account')
  const [first] = await queries.listOperatorNumbers(tx, workspaceId, 'simulator')
  return first?.accountId ?? inventedId(15)
}

/**
 * Refuses (`sandbox`) to connect a real number in a sandbox (spec 4.9). Callers check this before connecting
 * one.
 */
export function refuseRealNumber(
  { sandbox }: Pick<Workspace, 'sandbox'>,
  operator: NewNumber['operator'],
): void {
  if (sandbox && operator === 'cloud')
    refuse(
      'sandbox',
      "A sandbox can have only simulated numbers. Connect this number to a workspace that isn't a sandbox.",
    )
}

/** Connects a sending number. A simulated one gets invented operator ids and credentials. */
export async function addPhoneNumber(tx: Tx, input: NewNumber, now: Date, sealer: Sealer) {
  const id = newId()
  const operatorId = input.operatorId ?? inventedId(16)
  const insertedRows = await queries.insertNumber(tx, {
    id,
    workspaceId: input.workspaceId,
    number: input.number,
    displayName: input.displayName ?? input.number,
    operator: input.operator,
    accountId: input.accountId ?? (await simulatedAccount(tx, input.workspaceId)),
    operatorId,
    // The simulator finds the number by this part of the token.
    tokenSealed: sealer.seal(input.token ?? `${operatorId}.${token()}`),
    appSecretSealed: sealer.seal(input.appSecret ?? token()),
    verifyTokenHash: sha256(input.verifyToken ?? token()),
    createdAt: now,
  })
  if (insertedRows === 0) await refuseDuplicate(tx, input, operatorId)
  if (input.operator === 'cloud')
    await insertNumberLane(
      tx.sql,
      { workspaceId: input.workspaceId, phoneNumberId: id },
      later(now, FIRST_CHECK_MS),
    )
  return { phoneNumberId: id, number: input.number, operator: input.operator }
}

async function refuseDuplicate(
  tx: Tx,
  { workspaceId, number }: NewNumber,
  operatorId: string,
): Promise<never> {
  const numbers = await queries.listNumberRows(tx, [workspaceId])
  return numbers.some((existing) => existing.number === number)
    ? refuse('conflict', `${number} is already connected to this workspace. Change its settings instead.`)
    : refuse(
        'conflict',
        `A number with the operator's id ${operatorId} is already connected. Disconnect it first.`,
      )
}

/** Lists the caller's numbers in the format of `GET /phone-numbers`. */
export async function listPhoneNumbers(ctx: Context) {
  const numbers = await listShownNumbers(ctx.tx, ctx.workspace.id, realTime(ctx.now, ctx.workspace))
  return numbers.map(({ operator, accountId, createdAt, pausedUntil, ...number }) => ({
    ...number,
    restrictions: restrictionsAt(number, ctx.now),
    wabaConnectionId: connectionIdOf(ctx.workspace.id, accountId),
    pausedUntil: pausedUntil?.toISOString() ?? null,
    historySync: shownHistory(number),
    simulated: operator === 'simulator',
    createdAt: createdAt.toISOString(),
  }))
}

/**
 * Lists all numbers of the given workspaces, oldest first: the first active one is the default for sending.
 */
export const listNumbers = (unit: Unit, workspaceIds: string[]) =>
  queries.listNumberRows(unit.tx, workspaceIds)

/** Lists the caller's numbers at an operator, with their ids there. */
export const listNumbersWithOperatorIds = (ctx: Context, operator: 'simulator' | 'cloud') =>
  queries.listOperatorNumbers(ctx.tx, ctx.workspace.id, operator)

export const listSimulatedOperatorIds = queries.listSimulatedOperatorIds
