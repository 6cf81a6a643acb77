/** What customers paid and got back, on their leads: the total and the story say it, in the transaction that records it. */
import type { Context, Unit } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { inUnits } from '../../../core/money.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertMoneyRows, lowerMoneyRows } from '../queries/received-money.ts'
import { insertTimelineRows } from '../queries/timeline.ts'
import { platformActor, timelineEntry } from './timeline.ts'

/** A customer's money, in whole paise. */
export type LeadPayment = {
  ctx: Context
  contactId: string
  kind: 'payment_received' | 'payment_refunded'
  /** What the total grows by; of a refund less than 0. */
  paidPaise: number
  /** The payment request that was paid; its money is in the ledger. */
  paidRequestId: string
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

type Grown = Parameters<typeof addPaidTotals>[1][number]

/** Writes what was paid into the ledger, whether or not the customer has a lead; answers by how much their totals grow. */
async function enterPaid(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<Grown[]> {
  const paid = payments.filter(({ paidPaise }) => paidPaise > 0)
  if (paid.length === 0) return []
  const rows = paid.map(({ ctx, contactId, paidPaise, paidRequestId }) => ({
    workspaceId: ctx.workspace.id,
    id: newId(),
    source: 'payment_request' as const,
    sourceId: paidRequestId,
    contactId,
    leadId: leads.get(keyOf(ctx.workspace.id, contactId))?.id ?? null,
    amountMinor: paidPaise,
    currency: CURRENCY,
    receivedAt: ctx.now,
  }))
  await insertMoneyRows(unit.tx, rows)
  return rows.flatMap(({ workspaceId, leadId, amountMinor, receivedAt }) =>
    leadId === null
      ? []
      : [{ workspaceId, id: leadId, paid: inUnits(amountMinor, CURRENCY), at: receivedAt }],
  )
}

/** Takes what was given back off the ledger; answers by how much less the leads have that the money counted for. */
async function takeOffRefunds(unit: Unit, payments: LeadPayment[]): Promise<Grown[]> {
  const refunds = payments.filter(({ paidPaise }) => paidPaise < 0)
  if (refunds.length === 0) return []
  const lowered = await lowerMoneyRows(
    unit.tx,
    'payment_request',
    refunds.map(({ ctx, paidRequestId, paidPaise }) => ({
      workspaceId: ctx.workspace.id,
      sourceId: paidRequestId,
      byMinor: -paidPaise,
      at: ctx.now,
    })),
  )
  return lowered.flatMap(({ workspaceId, leadId, byMinor, at }) =>
    leadId === null ? [] : [{ workspaceId, id: leadId, paid: -inUnits(byMinor, CURRENCY), at }],
  )
}

/** Records payments on the leads that are held; a customer without a lead has none of it (docs/decisions/payments.md). */
export async function recordPayments(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<void> {
  // A refund may come with its payment.
  const grown = await enterPaid(unit, leads, payments)
  const changes = [...grown, ...(await takeOffRefunds(unit, payments))]
  const entries = payments.flatMap(({ ctx, contactId, kind, data }) => {
    const lead = leads.get(keyOf(ctx.workspace.id, contactId))
    return lead ? [timelineEntry(ctx, lead.id, platformActor(ctx), kind, data)] : []
  })
  await Promise.all([
    changes.length > 0 && addPaidTotals(unit.tx, changes),
    entries.length > 0 && insertTimelineRows(unit.tx, entries),
  ])
}
