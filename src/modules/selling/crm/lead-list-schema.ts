import { z } from 'zod'
import { issuesOf } from '../../../core/issues.ts'
import { idsQuery, pageQuery } from '../../../core/paging.ts'
import { SearchText } from '../../messaging/contacts/schema.ts'
import { LeadFilter as Filter, type LeadFilter } from './filter-schema.ts'
import { SORTS } from './queries/lead-lists.ts'

/** The views that every workspace has (spec 4.5). */
export const SYSTEM_VIEWS = [
  'sys:open',
  'sys:all',
  'sys:unassigned',
  'sys:new_today',
  'sys:followups',
  'sys:won',
  'sys:lost',
] as const
export type SystemView = (typeof SYSTEM_VIEWS)[number]

const DIRECTIONS = ['asc', 'desc'] as const
export const Sort = z.enum(SORTS, `Must be one of ${SORTS.join(', ')}.`)
export const Direction = z.enum(DIRECTIONS, `Must be one of ${DIRECTIONS.join(', ')}.`)
/** A filter in a query string: JSON. */
const FilterText = z
  .string()
  .max(20_000, 'Must be at most 20000 characters.')
  .transform((text, issues): LeadFilter => {
    const refuse = (message: string, path: string[] = []): LeadFilter => {
      issues.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return refuse(
        'Must be JSON such as {"match":"all","conditions":[{"field":"rating","op":"gte","value":3}]}.',
      )
    }
    const parsed = Filter.safeParse(value)
    if (parsed.success) return parsed.data
    for (const issue of issuesOf(parsed.error, Filter))
      refuse(issue.message, issue.path === '' ? [] : [issue.path])
    return z.NEVER
  })
  .meta({
    description:
      'URL-encoded JSON: `{match: all|any, conditions: [{field, op, value}]}`, with fields of a lead and `attributes.KEY`.',
    example: '{"match":"all","conditions":[{"field":"rating","op":"gte","value":3}]}',
  })

/** The fields that select the leads of a list or summary. */
const whichLeads = {
  ...idsQuery,
  view: z
    .string()
    .optional()
    .meta({ description: `${SYSTEM_VIEWS.join(', ')}, or the id of a saved view. Default: sys:all.` }),
  filter: FilterText.optional(),
  q: SearchText.optional().meta({
    description:
      'Words of the name, email address, or notes. Digits also match the beginning of the phone number.',
  }),
}

/** Query of `GET /leads` (spec 4.5). */
export const LeadQuery = z
  .object({
    ...pageQuery,
    ...whichLeads,
    sort: Sort.optional().meta({
      description: 'Field to sort by. Default: the order of the view, otherwise `createdAt`.',
    }),
    dir: Direction.optional(),
  })
  .meta({ fields: { dir: 'Sort direction.' } })
export type LeadQuery = z.output<typeof LeadQuery>

/** Query of `GET /leads/summary` (DECISIONS.md "Lists of leads"). */
export const LeadSummaryQuery = z.object(whichLeads)
