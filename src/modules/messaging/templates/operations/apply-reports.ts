import { isDeepStrictEqual } from 'node:util'
import type { Context, Unit } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import type { TemplateReport } from '../../../../operator/port.ts'
import { listReportedTemplatesForUpdate, type TemplateRow, updateTemplateRows } from '../queries/templates.ts'
import { applyTemplateEdit } from './apply-template-edit.ts'
import { changed, statusOf, submitted } from './change-template.ts'
import { deleteTemplates } from './delete-templates.ts'

/** A report about a template. */
export type TemplateReportItem = { ctx: Context; report: TemplateReport }

/**
 * Applies the operator's reports about templates, from many workspaces in one transaction. Repeated and
 * outdated reports, and those about unknown templates, change nothing.
 */
export async function applyTemplateReports(unit: Unit, items: TemplateReportItem[]): Promise<void> {
  if (items.length === 0) return
  const rows = await listReportedTemplatesForUpdate(
    unit.tx,
    items.map(({ ctx, report }) => ({
      workspaceId: ctx.workspace.id,
      metaTemplateId: report.templateId,
      name: report.name,
      language: report.language,
    })),
  )
  const current = new Map(rows.map((row) => [row.id, row]))
  const deleted = new Map<string, { row: TemplateRow; now: Date }>()
  for (const item of items) {
    const before = find(current, item)
    if (!before) continue
    const after = applied(before, item)
    if (after !== before) touch(item.ctx, { template: before.id })
    if (after === 'deleted') {
      current.delete(before.id)
      deleted.set(before.id, { row: before, now: item.ctx.now })
    } else current.set(after.id, after)
  }
  const touched = rows.filter((row) => current.has(row.id) && current.get(row.id) !== row)
  if (touched.length > 0)
    await updateTemplateRows(
      unit.tx,
      touched.map((row) => current.get(row.id)!),
    )
  if (deleted.size > 0) await deleteTemplates(unit.tx, [...deleted.values()])
}

/** Finds the template of a report: by the operator's id, otherwise by name if either side lacks the id. */
function find(
  current: Map<string, TemplateRow>,
  { ctx, report }: TemplateReportItem,
): TemplateRow | undefined {
  const own = [...current.values()].filter((row) => row.workspaceId === ctx.workspace.id)
  const byOperatorId = own.find((row) => report.templateId !== '' && row.metaTemplateId === report.templateId)
  if (byOperatorId) return byOperatorId
  const named = own.filter(
    (row) =>
      row.name === report.name &&
      row.language === report.language &&
      (report.accountId === '' || row.accountId === report.accountId),
  )
  if (report.templateId === '') return named.length === 1 ? named[0] : undefined
  return named.find((row) => row.metaTemplateId === null)
}

/**
 * Returns the template after a report; the same object if the report has no news. A report of the known state
 * confirms it for its time, so that earlier reports are outdated.
 */
function applied(before: TemplateRow, { ctx, report }: TemplateReportItem): TemplateRow | 'deleted' {
  switch (report.kind) {
    case 'template_quality': {
      if (isOld(report, before.qualityReportedAt)) return before
      const { quality } = report
      const after = quality === before.quality ? before : changed(ctx, before, { quality })
      return withTimes(after, { qualityReportedAt: report.at })
    }
    case 'template_category': {
      if (isOld(report, before.categoryReportedAt)) return before
      const category = report.newCategory
      const after = category === before.category ? before : changed(ctx, before, { category })
      return withTimes(after, { categoryReportedAt: report.at })
    }
    case 'template_components': {
      if (isOld(report, before.componentsReportedAt)) return before
      const components = applyTemplateEdit(before.components, report.edit)
      const isSame = isDeepStrictEqual(components, before.components)
      const after = isSame ? before : changed(ctx, before, { components })
      return withTimes(after, { componentsReportedAt: report.at })
    }
    case 'template_status': {
      const status = statusOf(report.event)
      if (status === undefined || isOld(report, before.statusReportedAt)) return before
      // The name may belong to another template by now: only the id identifies the deleted one.
      if (status === 'deleted')
        return report.templateId !== '' && before.metaTemplateId === report.templateId ? 'deleted' : before
      const metaTemplateId = before.metaTemplateId ?? (report.templateId === '' ? null : report.templateId)
      // A report of a state also contains the category at that time.
      const isCategoryOld = report.category === null || isOld(report, before.categoryReportedAt)
      const category = isCategoryOld ? before.category : (report.category as string)
      const isNews =
        status !== before.status || category !== before.category || metaTemplateId !== before.metaTemplateId
      const after =
        !isNews && before.submission === 'submitted'
          ? before
          : {
              ...changed(ctx, before, { status, category, metaTemplateId, rejectedReason: report.reason }),
              ...submitted,
            }
      const categoryReportedAt = isCategoryOld ? before.categoryReportedAt : report.at
      return withTimes(after, { statusReportedAt: report.at, categoryReportedAt })
    }
  }
}

/** Returns whether the report is older than the known fact. */
const isOld = ({ at }: TemplateReport, knownAt: Date | null): boolean => knownAt !== null && at < knownAt

type Times = Partial<
  Pick<TemplateRow, 'statusReportedAt' | 'categoryReportedAt' | 'qualityReportedAt' | 'componentsReportedAt'>
>
/** Returns the template with the times of the reports; the same object if they are already known. */
function withTimes(row: TemplateRow, times: Times): TemplateRow {
  const next = { ...row, ...times }
  return isDeepStrictEqual(next, row) ? row : next
}
