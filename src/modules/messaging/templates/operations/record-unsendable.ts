import type { Context, Unit } from '../../../../core/context.ts'
import { listTemplatesByKeyForUpdate, type TemplateKey, updateTemplateRows } from '../queries/templates.ts'
import { changed } from './change-template.ts'

/** The state of a template in the operator's refusal of a message. */
export type Unsendable = {
  ctx: Context
  accountId: string
  name: string
  language: string
  status: 'paused' | 'disabled'
  at: Date
}

const nameOf = ({ workspaceId, accountId, language, name }: TemplateKey): string =>
  `${workspaceId} ${accountId} ${language} ${name}`

/**
 * Stores the state for templates that are approved here: no more messages use them until the operator
 * approves them again. A later report of the operator takes precedence (docs/formats.md section 4).
 */
export async function recordUnsendable(unit: Unit, items: Unsendable[]): Promise<void> {
  if (items.length === 0) return
  const latest = new Map<string, Unsendable & TemplateKey>()
  for (const item of items) {
    const named = { ...item, workspaceId: item.ctx.workspace.id }
    const latestKnown = latest.get(nameOf(named))
    if (!latestKnown || latestKnown.at <= item.at) latest.set(nameOf(named), named)
  }
  const rows = await listTemplatesByKeyForUpdate(unit.tx, [...latest.values()])
  const refused = rows.flatMap((row) => {
    const { ctx, status, at } = latest.get(nameOf(row))!
    const isOver = row.statusReportedAt !== null && at < row.statusReportedAt
    return row.status === 'approved' && !isOver ? [changed(ctx, row, { status })] : []
  })
  if (refused.length > 0) await updateTemplateRows(unit.tx, refused)
}
