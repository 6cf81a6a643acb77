/** What customers paid, on their leads: the total grows and the story says it, in the transaction that records the payment. */
import type { Context, Unit } from '../../../core/context.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertTimelineRows } from '../queries/timeline.ts'
import { platformActor, timelineEntry } from './timeline.ts'

/** A customer's money, in whole paise. */
export type LeadPayment = {
  ctx: Context
  contactId: string
  kind: 'payment_received' | 'payment_refunded'
  /** What the total grows by. */
  paidPaise: number
  data: Record<string, unknown>
}

const PAISE_PER_UNIT = 100

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

/** Records payments on the leads that are held; a customer without a lead has none of it (docs/decisions/payments.md). */
export async function recordPayments(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<void> {
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
        paid: paidPaise / PAISE_PER_UNIT,
        at: ctx.now,
      })),
    ),
    insertTimelineRows(
      unit.tx,
      own.map(({ ctx, leadId, kind, data }) => timelineEntry(ctx, leadId, platformActor(ctx), kind, data)),
    ),
  ])
}
