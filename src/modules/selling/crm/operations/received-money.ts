/** Customers' payments outside of payment requests, and their effect on leads. */
import type { Context } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { inUnits } from '../../../../core/values/money.ts'
import { addPaidTotals, listLeadsByContactForUpdate } from '../queries/leads.ts'
import { insertMoneyRows, type MoneyRow, voidMoneyRow } from '../queries/received-money.ts'

/** Locks and returns the lead of a contact, before any later lock in the lock order. */
export async function holdLeadOf(
  ctx: Context,
  contactId: string | null,
): Promise<{ id: string } | undefined> {
  if (contactId === null) return undefined
  const [lead] = await listLeadsByContactForUpdate(ctx.tx, [{ workspaceId: ctx.workspace.id, contactId }])
  return lead
}

/** Locks and returns the leads of contacts, in the common lock order. */
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
  /** Locked. */
  lead: { id: string } | undefined
}

/** Adds received money to the ledger and to the lead's total. */
export async function recordReceivedMoney(ctx: Context, { lead, ...money }: Received): Promise<void> {
  const leadId = lead?.id ?? null
  await insertMoneyRows(ctx.tx, [
    { workspaceId: ctx.workspace.id, id: newId(), leadId, receivedAt: ctx.now, ...money },
  ])
  await addToTotal(ctx, leadId, inUnits(money.amountMinor, money.currency))
}

/** Voids received money and subtracts it from the lead's total. */
export async function voidReceivedMoney(
  ctx: Context,
  money: Pick<MoneyRow, 'source' | 'sourceId'>,
): Promise<void> {
  const voidedRow = await voidMoneyRow(ctx, money.source, money.sourceId)
  if (voidedRow) await addToTotal(ctx, voidedRow.leadId, -inUnits(voidedRow.amountMinor, voidedRow.currency))
}

async function addToTotal(ctx: Context, leadId: string | null, amount: number): Promise<void> {
  if (leadId === null) return
  await addPaidTotals(ctx.tx, [{ workspaceId: ctx.workspace.id, id: leadId, paid: amount, at: ctx.now }])
  touch(ctx, { lead: leadId })
}
