/** Money of customers outside of payment requests, and what it does to their leads. */
import type { Context } from '../../../core/context.ts'
import { touch } from '../../../core/event.ts'
import { newId } from '../../../core/ids.ts'
import { inUnits } from '../../../core/money.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertMoneyRows, type MoneyRow, voidMoneyRow } from '../queries/received-money.ts'

/** The lead of a contact, locked before anything that comes after it in the order of locks. */
export async function holdLeadOf(
  ctx: Context,
  contactId: string | null,
): Promise<{ id: string } | undefined> {
  if (contactId === null) return undefined
  const [lead] = await listLeadsByContactForUpdate(ctx.tx, [{ workspaceId: ctx.workspace.id, contactId }])
  return lead
}

/** The leads of contacts, locked in the order in which everybody locks them. */
export const holdLeadsOf = (
  ctx: Context,
  contactIds: (string | null)[],
): Promise<{ id: string; contactId: string }[]> =>
  listLeadsByContactForUpdate(
    ctx.tx,
    contactIds.flatMap((contactId) =>
      contactId === null ? [] : [{ workspaceId: ctx.workspace.id, contactId }],
    ),
  )

type Received = Pick<MoneyRow, 'source' | 'sourceId' | 'contactId' | 'amountMinor' | 'currency'> & {
  /** Held. */
  lead: { id: string } | undefined
}

/** Writes received money into the ledger, and adds it to the lead's total. */
export async function recordReceivedMoney(ctx: Context, { lead, ...money }: Received): Promise<void> {
  const leadId = lead?.id ?? null
  await insertMoneyRows(ctx.tx, [
    { workspaceId: ctx.workspace.id, id: newId(), leadId, receivedAt: ctx.now, ...money },
  ])
  await addToTotal(ctx, leadId, inUnits(money.amountMinor, money.currency))
}

/** Voids received money; the lead that it counted for has so much less. */
export async function voidReceivedMoney(
  ctx: Context,
  of: Pick<MoneyRow, 'source' | 'sourceId'>,
): Promise<void> {
  const voided = await voidMoneyRow(ctx, of.source, of.sourceId)
  if (voided) await addToTotal(ctx, voided.leadId, -inUnits(voided.amountMinor, voided.currency))
}

async function addToTotal(ctx: Context, leadId: string | null, paid: number): Promise<void> {
  if (leadId === null) return
  await addPaidTotals(ctx.tx, [{ workspaceId: ctx.workspace.id, id: leadId, paid, at: ctx.now }])
  touch(ctx, { lead: leadId })
}
