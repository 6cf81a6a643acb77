/** The view of a form and its answers, in the address of the page. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FlowDetails } from './queries.ts'
import { type AnswerFilter, PERIODS } from './queries.ts'

const VIEWS = ['summary', 'answers', 'design'] as const
export type View = (typeof VIEWS)[number]

type Search = { view?: string; days?: unknown; field?: unknown; value?: unknown }

/** The router reads `12` and `true` in an address as values. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

/** Returns the views of a form: one from elsewhere has no design here. */
export const viewsOf = ({ screens }: Pick<FlowDetails, 'screens'>): View[] =>
  VIEWS.filter((view) => view !== 'design' || screens !== null)

export function useView(form: Pick<FlowDetails, 'status' | 'screens'> | undefined) {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const [field, value] = [textOf(search.field), textOf(search.value)]
  const filter: AnswerFilter = {
    period: PERIODS.find((period) => period === String(search.days)),
    ...(field !== undefined && value !== undefined && { field, value }),
  }
  const known = VIEWS.find((view) => view === search.view)
  // A draft has no answers yet.
  const view: View = known ?? (form?.status === 'draft' && form.screens !== null ? 'design' : 'summary')
  const show = (next: View, { period, field, value }: AnswerFilter) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, view: next, days: period, field, value }),
      replace: next === view,
    } as never)
  return { view, filter, show }
}
