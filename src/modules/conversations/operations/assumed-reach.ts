/**
 * Recipients as sends last saw them, so that a send to a known one need not look (docs/decisions/requests.md). What is
 * remembered may be out of date: whoever goes by it has the database confirm it in the same transaction.
 */
import { beforeCommit, type Unit } from '../../../core/context.ts'
import { type AssumedReach, expectReachRows } from '../queries/reach.ts'
import type { Reach } from './find-reach.ts'

const MAX_RECIPIENTS = 10_000

/** By number and workspace, the longest known number first. */
const remembered = new Map<string, Map<string, Reach>>()
let recipients = 0

function forgetReach(workspaceId: string, phone: string): void {
  const there = remembered.get(phone)
  if (!there?.delete(workspaceId)) return
  recipients--
  if (there.size === 0) remembered.delete(phone)
}

function forgetLongestKnown(): void {
  const [phone, there] = remembered.entries().next().value!
  remembered.delete(phone)
  recipients -= there.size
}

/** Keeps what was read of the recipient at `phone` (E.164 with +). Who has no chat is not kept. */
export function rememberReach(workspaceId: string, phone: string, reach: Reach | undefined): void {
  forgetReach(workspaceId, phone)
  if (reach === undefined || reach.conversations.size === 0) return
  const others = remembered.get(phone) ?? new Map<string, Reach>()
  // At the end again.
  remembered.delete(phone)
  remembered.set(phone, others.set(workspaceId, reach))
  recipients++
  if (recipients > MAX_RECIPIENTS) forgetLongestKnown()
}

/** The recipient at `phone` as they were last seen; undefined: not lately, or without a chat. */
export const recallReach = (workspaceId: string, phone: string): Reach | undefined =>
  remembered.get(phone)?.get(workspaceId)

/**
 * Goes by what is remembered of recipients: the transaction fails by itself where one of them has changed, is gone, or has a
 * window that ends sooner. A window that ends later is as good.
 */
export function assumeReach(unit: Unit, assumed: AssumedReach[]): void {
  if (assumed.length > 0) beforeCommit(unit, expectReachRows(unit.tx, assumed))
}
