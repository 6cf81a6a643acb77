/**
 * Recipients as sends last saw them, so that a send to a known one need not look (docs/decisions/request-batches.md). What is
 * remembered may be out of date: whoever goes by it has the database confirm it in the same transaction.
 */
import { beforeCommit, type Unit } from '../../../core/context.ts'
import { type AssumedReach, expectReachRows } from '../queries/reach.ts'
import type { Reach } from './find-reach.ts'

const MAX_RECIPIENTS = 10_000

/** By workspace and number, the longest known first. */
const remembered = new Map<string, Reach>()
const keyOf = (workspaceId: string, phone: string): string => `${workspaceId} ${phone}`

/** Keeps what was read of the recipient at `phone` (E.164 with +). Who has no chat is not kept. */
export function rememberReach(workspaceId: string, phone: string, reach: Reach | undefined): void {
  const key = keyOf(workspaceId, phone)
  remembered.delete(key)
  if (reach === undefined || reach.conversations.size === 0) return
  remembered.set(key, reach)
  if (remembered.size > MAX_RECIPIENTS) remembered.delete(remembered.keys().next().value as string)
}

/** The recipient at `phone` as they were last seen; undefined: not lately, or without a chat. */
export const recallReach = (workspaceId: string, phone: string): Reach | undefined =>
  remembered.get(keyOf(workspaceId, phone))

/**
 * Goes by what is remembered of recipients: the transaction fails by itself where one of them has changed, is gone, or has a
 * window that ends sooner. A window that ends later is as good.
 */
export function assumeReach(unit: Unit, assumed: AssumedReach[]): void {
  if (assumed.length > 0) beforeCommit(unit, expectReachRows(unit.tx, assumed))
}
