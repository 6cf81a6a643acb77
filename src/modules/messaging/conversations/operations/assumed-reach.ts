/**
 * Recipients as recent sends read them, so that a send to a known recipient needs no read
 * (docs/decisions/requests.md). Remembered data can be out of date, so a transaction that uses it must
 * confirm it in the database.
 */
import { beforeCommit, type Unit } from '../../../../core/context.ts'
import { type AssumedReach, expectReachRows } from '../queries/reach.ts'
import type { Reach } from './find-reach.ts'

const MAX_RECIPIENTS = 10_000

/** By number and workspace; the number remembered longest is first. */
const remembered = new Map<string, Map<string, Reach>>()
let recipients = 0

function forgetReach(workspaceId: string, phone: string): void {
  const ofPhone = remembered.get(phone)
  if (!ofPhone?.delete(workspaceId)) return
  recipients--
  if (ofPhone.size === 0) remembered.delete(phone)
}

function forgetLongestKnown(): void {
  const [phone, ofPhone] = remembered.entries().next().value!
  remembered.delete(phone)
  recipients -= ofPhone.size
}

/** Remembers the recipient at `phone` (E.164 with +). Recipients without a chat aren't remembered. */
export function rememberReach(workspaceId: string, phone: string, reach: Reach | undefined): void {
  forgetReach(workspaceId, phone)
  if (reach === undefined || reach.conversations.size === 0) return
  const others = remembered.get(phone) ?? new Map<string, Reach>()
  // Moves the number to the end.
  remembered.delete(phone)
  remembered.set(phone, others.set(workspaceId, reach))
  recipients++
  if (recipients > MAX_RECIPIENTS) forgetLongestKnown()
}

/** Returns the remembered recipient at `phone`; undefined if not remembered, or without a chat. */
export const recallReach = (workspaceId: string, phone: string): Reach | undefined =>
  remembered.get(phone)?.get(workspaceId)

/**
 * Confirms remembered recipients before the commit. The transaction fails if a recipient changed, is gone, or
 * has a window that ends sooner. A window that ends later is fine.
 */
export function assumeReach(unit: Unit, assumed: AssumedReach[]): void {
  if (assumed.length > 0) beforeCommit(unit, expectReachRows(unit.tx, assumed))
}
