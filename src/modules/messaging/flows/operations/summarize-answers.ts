/** The summary of the answers to a form (src/modules/messaging/flows/DECISIONS.md "Summary of answers"). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { prepareRead } from '../../../../database/sql/costly-reads.ts'
import { type FlowField, type FlowScreens, hasOptions } from '../design/schema.ts'
import { countAnswers, type Period, type SummaryRow, summarizeAnswers } from '../queries/answers.ts'
import { type FlowAnswerSummary, type FlowFieldSummary, MAX_SUMMARIZED } from '../schema.ts'
import { getFlow } from './read-form.ts'

/** The most values that make a question outside the design one of choice. */
const FEW_VALUES = 12

const hasChoices = ({ kind }: FlowField): boolean => hasOptions(kind) || kind === 'consent'
const isRange = ({ kind }: FlowField): boolean => kind === 'number' || kind === 'date'
const optionsOf = ({ kind, options }: FlowField): string[] =>
  kind === 'consent' ? ['true', 'false'] : (options ?? [])

/** Returns the counts of the options of the design in its order, then those of other values. */
function countOptions(rows: SummaryRow[], designed: string[]): { value: string; count: number }[] {
  const counts = new Map(rows.map(({ value, count }) => [value!, count!]))
  const others = [...counts.keys()].filter((value) => !designed.includes(value))
  return [...designed, ...others].map((value) => ({ value, count: counts.get(value) ?? 0 }))
}

/** Presents the rows of one field; without a design, few repeated values are options. */
function presentField(
  name: string,
  field: FlowField | undefined,
  rows: SummaryRow[],
): z.input<typeof FlowFieldSummary> {
  const of = (part: SummaryRow['part']) => rows.filter((row) => row.part === part)
  const answered = of('answered')[0]?.count ?? 0
  const values = of('option')
  const isChoice = field ? hasChoices(field) : values.length <= FEW_VALUES && values.length < answered
  const [range] = of('range')
  return {
    name,
    label: field?.label ?? name,
    kind: field?.kind ?? null,
    answered,
    options: isChoice ? countOptions(values, field ? optionsOf(field) : []) : [],
    range: range ? { smallest: range.smallest!, median: range.median!, largest: range.largest! } : null,
    texts: isChoice
      ? []
      : of('text').map(({ id, value, createdAt }) => ({
          messageId: id!,
          text: value!,
          createdAt: createdAt!.toISOString(),
        })),
  }
}

/** Summarizes the newest answers of a period. Refuses `rate_limited` while other long reads of the workspace run. */
export async function summarizeForm(
  ctx: Context,
  ref: string,
  period: Period,
): Promise<z.input<typeof FlowAnswerSummary>> {
  const { id, screens } = await getFlow(ctx, ref)
  const design = ((screens ?? []) as FlowScreens).flatMap(({ fields }) => fields)
  const answers = await countAnswers(ctx, id, period)
  await prepareRead(ctx, answers)
  const namesOf = (isOfKind: (field: FlowField) => boolean) => design.filter(isOfKind).map(({ name }) => name)
  const rows = await summarizeAnswers(ctx, id, period, {
    choices: namesOf(hasChoices),
    numbers: namesOf(({ kind }) => kind === 'number'),
    dates: namesOf(({ kind }) => kind === 'date'),
    texts: namesOf((field) => !hasChoices(field) && !isRange(field)),
  })
  const byName = Map.groupBy(rows, ({ name }) => name)
  const fields = new Map(design.map((field) => [field.name, field]))
  const names = new Set([...fields.keys(), ...byName.keys()])
  return {
    answers: Math.min(answers, MAX_SUMMARIZED),
    limited: answers > MAX_SUMMARIZED,
    fields: [...names].map((name) => presentField(name, fields.get(name), byName.get(name) ?? [])),
  }
}
