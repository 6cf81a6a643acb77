/** What customers paid, on their leads: the total grows and the story says it, in the transaction that records the payment. */
import type { Context, Unit } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { inUnits } from '../../../core/money.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertMoneyRows } from '../queries/received-money.ts'
import { insertTimelineRows } from '../queries/timeline.ts'
import { platformActor, timelineEntry } from './timeline.ts'

/** A customer's money, in whole paise. */
export type LeadPayment = {
  ctx: Context
  contactId: string
  kind: 'payment_received' | 'payment_refunded'
  /** What the total grows by. */
  paidPaise: number
  /** The payment request that was paid; its money goes into the ledger. */
  paidRequestId?: string
  data: Record<string, unknown>
}

/** Payment requests are in rupees alone (docs/decisions/payments.md). */
const CURRENCY = 'INR'

/** Locked leads by their contacts. */
export type HeldLeads = ReadonlyMap<string, { id: string }>

const keyOf = (workspaceId: string, contactId: string): string => `${workspaceId} ${contactId}`

/** Locks the leads of these contacts, for whoever is about to record payments. */
export async function holdLeads(
  unit: Unit,
  contacts: { workspaceId: string; contactId: string }[],
): Promise<HeldLeads> {
  if (contacts.length === 0) return new Map()
  const leads = await listLeadsByContactForUpdate(unit.tx, contacts)
  return new Map(leads.map((lead) => [keyOf(lead.workspaceId, lead.contactId), lead]))
}

/** Writes what was paid into the ledger, whether or not the customer has a lead. */
async function enterIntoLedger(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<void> {
  const rows = payments.flatMap(({ ctx, contactId, paidPaise, paidRequestId }) =>
    paidRequestId === undefined
      ? []
      : [
          {
            workspaceId: ctx.workspace.id,
            id: newId(),
            source: 'payment_request' as const,
            sourceId: paidRequestId,
            contactId,
            leadId: leads.get(keyOf(ctx.workspace.id, contactId))?.id ?? null,
            amountMinor: paidPaise,
            currency: CURRENCY,
            receivedAt: ctx.now,
          },
        ],
  )
  if (rows.length > 0) await insertMoneyRows(unit.tx, rows)
}

/** Records payments on the leads that are held; a customer without a lead has none of it (docs/decisions/payments.md). */
export async function recordPayments(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<void> {
  await enterIntoLedger(unit, leads, payments)
  const own = payments.flatMap((payment) => {
    const lead = leads.get(keyOf(payment.ctx.workspace.id, payment.contactId))
    return lead ? [{ ...payment, leadId: lead.id }] : []
  })
  if (own.length === 0) return
  await Promise.all([
    addPaidTotals(
      unit.tx,
      own.map(({ ctx, leadId, paidPaise }) => ({
        workspaceId: ctx.workspace.id,
        id: leadId,
        paid: inUnits(paidPaise, CURRENCY),
        at: ctx.now,
      })),
    ),
    insertTimelineRows(
      unit.tx,
      own.map(({ ctx, leadId, kind, data }) => timelineEntry(ctx, leadId, platformActor(ctx), kind, data)),
    ),
  ])
}
