import type { Context } from '../../../../../core/context.ts'
import type { Report } from '../../../../../operator/port.ts'

/** A report; a message in it takes `id`, which was assigned at intake. */
export type UpdateItem<Kind extends Report = Report> = {
  ctx: Context
  id: string
  phoneNumberId: string
  report: Kind
}

/** A report of one of these kinds. */
export type Reported<Kinds extends Report['kind']> = UpdateItem<Extract<Report, { kind: Kinds }>>
export type ReceiptUpdate = Reported<'receipt'>

export const ofKinds = <Kinds extends Report['kind']>(
  items: UpdateItem[],
  ...kinds: Kinds[]
): Reported<Kinds>[] =>
  items.filter((item): item is Reported<Kinds> => (kinds as string[]).includes(item.report.kind))
