/**
 * Records customers' payments and refunds on their leads: the total and the timeline, in the payment's
 * transaction.
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { newId } from '../../../../core/ids.ts'
import { inUnits } from '../../../../core/values/money.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertMoneyRows, lowerMoneyRows } from '../queries/received-money.ts'
import { insertTimelineRows } from '../queries/timeline.ts'
import { platformActor, timelineEntry } from './timeline.ts'

/** A customer's payment, in whole paise. */
export type LeadPayment = {
  ctx: Context
  contactId: string
  kind: 'payment_received' | 'payment_refunded'
  /** The change of the total; negative for a refund. */
  paidPaise: number
  /** The paid payment request, which is also in the ledger. */
  paidRequestId: string
  data: Record<string, unknown>
}

/** Payment requests are only in rupees (src/modules/selling/payments/DECISIONS.md). */
const CURRENCY = 'INR'

/** Locked leads, by contact. */
export type HeldLeads = ReadonlyMap<string, { id: string }>

const keyOf = (workspaceId: string, contactId: string): string => `${workspaceId} ${contactId}`

/** Locks the leads of these contacts before payments are recorded. */
export async function holdLeads(
  unit: Unit,
  contacts: { workspaceId: string; contactId: string }[],
): Promise<HeldLeads> {
  if (contacts.length === 0) return new Map()
  const leads = await listLeadsByContactForUpdate(unit.tx, contacts)
  return new Map(leads.map((lead) => [keyOf(lead.workspaceId, lead.contactId), lead]))
}

type TotalGrowth = Parameters<typeof addPaidTotals>[1][number]

/** Adds payments to the ledger, with or without a lead. Returns the growth of the leads' totals. */
async function insertPayments(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<TotalGrowth[]> {
  const paidPayments = payments.filter(({ paidPaise }) => paidPaise > 0)
  if (paidPayments.length === 0) return []
  const rows = paidPayments.map(({ ctx, contactId, paidPaise, paidRequestId }) => ({
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

/** Subtracts refunds from the ledger. Returns the decrease of the leads' totals. */
async function subtractRefunds(unit: Unit, payments: LeadPayment[]): Promise<TotalGrowth[]> {
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

/**
 * Records payments on the locked leads. A customer without a lead has no total
 * (src/modules/selling/payments/DECISIONS.md).
 */
export async function recordPayments(unit: Unit, leads: HeldLeads, payments: LeadPayment[]): Promise<void> {
  // A refund may arrive together with its payment.
  const grown = await insertPayments(unit, leads, payments)
  const changes = [...grown, ...(await subtractRefunds(unit, payments))]
  const entries = payments.flatMap(({ ctx, contactId, kind, data }) => {
    const lead = leads.get(keyOf(ctx.workspace.id, contactId))
    return lead ? [timelineEntry(ctx, lead.id, platformActor(ctx), kind, data)] : []
  })
  await Promise.all([
    changes.length > 0 && addPaidTotals(unit.tx, changes),
    entries.length > 0 && insertTimelineRows(unit.tx, entries),
  ])
}
