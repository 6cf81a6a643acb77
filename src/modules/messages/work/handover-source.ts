/**
 * Hands queued messages to the operator. A claim is a lease written before the call. A message
 * whose lease ran out without an outcome may have gone out: it is never sent again by us
 * (spec 3, RELIABILITY row 2); a receipt decides, or it fails as unconfirmed. The simulator takes
 * each message once, so there trying again is safe.
 */
import { type Clock, HOUR_MS, later, SECOND_MS } from '../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { Handover, Operator, OperatorError, OperatorNumber } from '../../../operator/port.ts'
import { applyReceipts, type ReceiptItem } from '../operations/apply-receipts.ts'
import { HANDOVER } from '../operations/send-messages.ts'
import {
  claimDueMessages,
  countMessagesUnderWay,
  type DueMessage,
  findNextMessageDue,
  putBack,
  settleAccepted,
  shiftMessages,
} from '../queries.ts'

export type HandoverOptions = {
  database: Database
  clock: Clock
  operator: Operator
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** A number with its credentials in the clear; undefined when it is gone. */
  number(workspaceId: string, phoneNumberId: string): Promise<OperatorNumber | undefined>
}

/** Messages in the operator's hands at once. */
const IN_FLIGHT_MOST = 64
/** Longer than a call may take plus the minute that a receipt is waited for (FORMATS section 4). */
const LEASE_MS = 95 * SECOND_MS
/** The simulator takes a message once, however often it is handed over: a lost worker's are soon tried again. */
const SIMULATED_LEASE_MS = 12 * SECOND_MS
/** The waits before trying again what was throttled or failed in passing. */
const RETRY_SECONDS = [1, 5, 30, 120, 600]
const UNREACHABLE_WAIT_MOST_SECONDS = 60
/** How long a message waits for an operator that cannot be reached. */
const UNREACHABLE_MOST_MS = 24 * HOUR_MS
const RETRIED_CATEGORIES = ['throttle', 'transient']

const localError = (title: string, message: string): OperatorError => ({
  code: 0,
  title,
  message,
  details: null,
  category: 'connection',
  permanent: false,
  retryable: true,
})

const UNCONFIRMED = localError(
  'Unconfirmed',
  'The operator never confirmed this message; it may have gone out. It was not sent again, so that nobody gets it twice.',
)
const UNREACHABLE = localError('Operator unreachable', 'The operator could not be reached for 24 hours.')
const NUMBER_GONE = localError('Number removed', 'The sending number is no longer connected.')

/** What becomes of a message after a call. */
type Next =
  | { kind: 'accepted'; chanmid: string }
  | { kind: 'again'; waitSeconds: number }
  | { kind: 'failed'; error: OperatorError }
  | { kind: 'wait' }

function nextOf(message: DueMessage, handover: Handover, ageMs: number): Next {
  if (handover.kind === 'accepted') return handover
  if (handover.kind === 'unknown') return { kind: 'wait' }
  if (handover.kind === 'not_sent')
    return ageMs > UNREACHABLE_MOST_MS
      ? { kind: 'failed', error: UNREACHABLE }
      : {
          kind: 'again',
          waitSeconds: Math.min(UNREACHABLE_WAIT_MOST_SECONDS, 2 ** Math.min(message.handovers, 6)),
        }
  const waitSeconds = RETRY_SECONDS[message.handovers - 1]
  if (!RETRIED_CATEGORIES.includes(handover.error.category) || waitSeconds === undefined)
    return { kind: 'failed', error: handover.error }
  return { kind: 'again', waitSeconds: Math.max(waitSeconds, handover.retryAfterSeconds ?? 0) }
}

/** The source of background work that hands messages over. */
export function handoverSource(options: HandoverOptions): WorkSource {
  const { database, clock } = options

  const decide = async (message: DueMessage): Promise<Next> => {
    const number = await options.number(message.workspaceId, message.phoneNumberId)
    if (!number) return { kind: 'failed', error: NUMBER_GONE }
    if (message.unsettled && number.operator !== 'simulator') return { kind: 'failed', error: UNCONFIRMED }
    const isPhone = message.phone.startsWith('+')
    const handover = await options.operator.send(number, {
      callbackData: message.id,
      to: isPhone ? message.phone : null,
      recipient: isPhone ? null : message.userId,
      type: message.type,
      content: message.content,
      replyTo: message.replyTo,
    })
    return nextOf(message, handover, clock.now().getTime() - message.createdAt.getTime())
  }

  const fail = async (failed: { message: DueMessage; error: OperatorError }[]): Promise<void> => {
    const workspaces = await options.workspaces(failed.map(({ message }) => message.workspaceId))
    if (workspaces.size === 0) return
    await database.tenant([...workspaces.values()], async (unit) => {
      const items = failed.flatMap(({ message, error }) => {
        const workspace = workspaces.get(message.workspaceId)
        if (!workspace) return []
        const ctx = platformContext(unit, workspace, clock)
        const receipt: ReceiptItem['receipt'] = {
          kind: 'receipt',
          chanmid: null,
          callbackData: message.id,
          status: 'failed',
          at: ctx.now,
          errors: [error],
        }
        return [{ ctx, receipt }]
      })
      await applyReceipts(unit, items)
    })
  }

  const settle = async (outcomes: { message: DueMessage; next: Next }[]): Promise<void> => {
    const now = clock.now()
    const accepted = outcomes.flatMap(({ message, next }) =>
      next.kind === 'accepted' ? [{ ...message, chanmid: next.chanmid }] : [],
    )
    const again = outcomes.flatMap(({ message, next }) =>
      next.kind === 'again' ? [{ ...message, runAt: later(now, next.waitSeconds * SECOND_MS) }] : [],
    )
    const failed = outcomes.flatMap(({ message, next }) =>
      next.kind === 'failed' ? [{ message, error: next.error }] : [],
    )
    if (accepted.length > 0) await settleAccepted(database.query, accepted)
    if (again.length > 0) await putBack(database.query, again)
    if (failed.length > 0) await fail(failed)
  }

  return {
    name: HANDOVER,
    pollMs: 1_000,
    async runDue({ workspaceId }) {
      const now = clock.now()
      const messages = await claimDueMessages(database.query, {
        now,
        leaseUntil: later(now, LEASE_MS),
        simulatedLeaseUntil: later(now, SIMULATED_LEASE_MS),
        limit: IN_FLIGHT_MOST,
        workspaceId,
      })
      await settle(
        await Promise.all(messages.map(async (message) => ({ message, next: await decide(message) }))),
      )
      return messages.length
    },
    nextDue: (workspaceId) => findNextMessageDue(database.query, workspaceId),
    running: (workspaceId) => countMessagesUnderWay(database.query, workspaceId, clock.now()),
    shift: async (tx, workspaceId, ms) => {
      await shiftMessages(tx, workspaceId, ms)
    },
  }
}
