/**
 * Calls as the operator reports them: `call.missed` once for each unanswered call (docs/formats.md section
 * 10).
 */
import type { Context, Unit } from '../../../../../core/context.ts'
import { emit } from '../../../../../core/event.ts'
import type { CallReport } from '../../../../../operator/port.ts'
import type { ContactInEvent } from '../../../contacts/schema.ts'
import { callMissed } from '../../events.ts'
import { type CallRow, claimCalls, updateCalls } from '../queries/calls.ts'
import type { PlacedCall } from './place-people.ts'

/** Applies reports of calls in the given order; the end of a call may be reported before its beginning. */
export async function applyCalls(unit: Unit, items: PlacedCall[]): Promise<void> {
  const placed = items.flatMap((item) => {
    const row = rowOf(item)
    return row ? [{ ...item, row }] : []
  })
  if (placed.length === 0) return
  const stored = await claimCalls(
    unit.tx,
    placed.map(({ row }) => row),
  )
  const calls = new Map(stored.map((row) => [keyOf(row), row]))
  for (const { ctx, report: call, contact, row } of placed) {
    const before = calls.get(keyOf(row))!
    const after = afterReport(before, call)
    const missed = after.answered === false && after.missedAt === null
    calls.set(keyOf(row), missed ? { ...after, missedAt: ctx.now } : after)
    if (missed) announce(ctx, after, { contact, call })
  }
  await updateCalls(unit.tx, [...calls.values()])
}

const keyOf = (row: CallRow): string => `${row.workspaceId} ${row.callId}`

const rowOf = ({ ctx, phoneNumberId, report, contact, conversationId }: PlacedCall): CallRow | undefined =>
  conversationId === undefined
    ? undefined
    : {
        workspaceId: ctx.workspace.id,
        callId: report.callId,
        contactId: contact.id,
        conversationId,
        phoneNumberId,
        startedAt: null,
        endedAt: null,
        answered: null,
        missedAt: null,
        createdAt: ctx.now,
      }

const afterReport = (row: CallRow, { ended, at }: CallReport): CallRow =>
  ended === null
    ? { ...row, startedAt: row.startedAt ?? at }
    : { ...row, endedAt: row.endedAt ?? ended.at, answered: row.answered ?? ended.answered }

function announce(ctx: Context, row: CallRow, of: { contact: ContactInEvent; call: CallReport }): void {
  emit(
    ctx,
    callMissed,
    {
      callId: row.callId,
      contactId: row.contactId,
      conversationId: row.conversationId,
      phone: of.contact.phone,
      // Only its end has been reported so far.
      startedAt: (row.startedAt ?? of.call.at).toISOString(),
    },
    { contactId: row.contactId },
  )
}
