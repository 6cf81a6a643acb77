/** The results of templates in the last days, from all sources of messages (DECISIONS.md "Results"). */
import type { Context } from '../../../../core/context.ts'
import { dayOf, daysBefore } from '../../../../core/values/calendar.ts'
import { classifyError } from '../../../../operator/error-classes.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { listResults, RESULTS, type TemplateSums } from '../queries/results.ts'
import type { TemplateRow } from '../queries/templates.ts'
import { NO_CAUSE } from '../work/record-results.ts'

/** The days that results cover, today included. */
export const RESULT_DAYS = 30

export type TemplateResults = {
  sent: number
  delivered: number
  read: number
  failed: number
  topFailure: { code: number | null; title: string; count: number } | null
}

/** The results of a template without messages. */
export const NO_RESULTS: TemplateResults = { sent: 0, delivered: 0, read: 0, failed: 0, topFailure: null }

/** Returns the most frequent cause of failures; null without failures. */
function topFailureOf(rows: TemplateSums[]): TemplateResults['topFailure'] {
  const byCause = Map.groupBy(rows, ({ cause }) => cause)
  const [top] = [...byCause]
    .map(([cause, own]) => ({ cause, count: own.reduce((sum, { failed }) => sum + failed, 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.cause - b.cause)
  if (!top) return null
  const code = top.cause === NO_CAUSE ? null : top.cause
  return { code, title: classifyError({ code }).title, count: top.count }
}

/** Adds up the rows of one template. */
const resultsOf = (rows: TemplateSums[]): TemplateResults => {
  const [sent, delivered, read, failed] = RESULTS.map((name) =>
    rows.reduce((sum, row) => sum + row[name], 0),
  ) as [number, number, number, number]
  return { sent, delivered, read, failed, topFailure: topFailureOf(rows) }
}

type Counted = Pick<TemplateRow, 'name' | 'language' | 'accountId'>

const keyOf = ({ name, language }: Pick<Counted, 'name' | 'language'>): string => `${name} ${language}`

/** Reads the results of these templates; a template's messages are those of its business account's numbers. */
export async function readResults(
  ctx: Context,
  templates: Counted[],
): Promise<(template: Counted) => TemplateResults> {
  if (templates.length === 0) return () => NO_RESULTS
  const from = daysBefore(dayOf(ctx.now, ctx.workspace.timezone), RESULT_DAYS - 1)
  const names = [...new Set(templates.map(({ name }) => name))]
  const rows = await listResults(ctx, names, from)
  if (rows.length === 0) return () => NO_RESULTS
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const accounts = new Map(numbers.map(({ id, accountId }) => [id, accountId]))
  const ownRows = Map.groupBy(rows, keyOf)
  return (template) =>
    resultsOf(
      (ownRows.get(keyOf(template)) ?? []).filter(
        ({ phoneNumberId }) => accounts.get(phoneNumberId) === template.accountId,
      ),
    )
}
