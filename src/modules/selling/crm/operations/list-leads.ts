/**
 * Returns lists of leads by view, filter, and search, sorted and paged (spec 4.5;
 * DECISIONS.md "Lists of leads").
 */

import type { Context } from '../../../../core/context.ts'
import { hidesDetails } from '../../../../core/customer-details.ts'
import { type Issue, invalid } from '../../../../core/errors.ts'
import { offsetOf } from '../../../../core/paging.ts'
import { digitsOf, readNumber } from '../../../../core/values/phone.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { NEAR_ROWS, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { listMembers } from '../../../platform/workspaces/operations/workspace-members.ts'
import type { LeadFilter } from '../filter-schema.ts'
import { ALL, type Condition, likePatterns, lowered, partsOf } from '../lead-condition.ts'
import { type LeadQuery, SYSTEM_VIEWS } from '../lead-list-schema.ts'
import {
  hasManyLeads,
  listLeadRows,
  listNotedLeads,
  type Sort,
  type Stretches,
  sumLeadsByStage,
} from '../queries/lead-lists.ts'
import { readLeadWords, showLeads } from './find-lead.ts'
import { countByCounters, countByScan, namesItsLeads } from './lead-totals.ts'
import { listLearnedNumbers } from './learned-numbers.ts'
import { stageIdsOf } from './pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { systemView } from './system-view.ts'
import { hiddenConditions, phonePrefixes, understandFilter } from './understand-filter.ts'

/** The filters and the order of a view. The query can add filters and change the order. */
export type ViewTerms = {
  filter?: LeadFilter | null
  q?: string | null
  sort?: Sort | null
  dir?: 'asc' | 'desc' | null
}
type SeenView = { condition: Condition } & ViewTerms

/** Reads a saved view that the caller may see; undefined if none has that id. */
export type ViewReader = (ctx: Context, id: string) => Promise<ViewTerms | undefined>

const DESCENDING_FIRST = new Set<Sort>(['createdAt', 'updatedAt', 'rating', 'dealValue'])

/** The conditions of a list, with the workspace's ids. */
type AskedLeads = {
  words: LeadWords
  view: SeenView
  condition: Condition
  /** The leads that `noted` in the condition means. */
  noted: string[]
  /** True if the request already counted against the limit for walks along many leads. */
  walks: boolean
}
type LeadsQuery = Pick<LeadQuery, 'view' | 'filter' | 'q' | 'ids'>

async function understandQuery(
  ctx: Context,
  query: LeadsQuery,
  readView: ViewReader,
  isFar: boolean,
): Promise<AskedLeads> {
  const words = await readLeadWords(ctx)
  const view = await findVisibleView(ctx, words, query.view ?? 'sys:all', readView)
  const issues: Issue[] = []
  const numbers = await listLearnedNumbers(ctx, [view.filter, query.filter])
  const filters = [view.filter, query.filter].map((filter): Condition => {
    if (!filter) return ALL
    const understoodFilter = understandFilter(ctx, words, filter, 'filter', numbers)
    // A saved view may name deleted items. That part matches no lead.
    if (filter === query.filter)
      issues.push(...understoodFilter.issues, ...hiddenConditions(ctx, filter, 'filter'))
    return understoodFilter.condition
  })
  if (issues.length > 0) throw invalid(issues)
  const searches = [view.q, query.q].flatMap((q) => (q ? [q] : []))
  const walksFar = query.ids === undefined && (searches.length > 0 || isFar)
  if (walksFar) await requireLeadWalk(ctx)
  const search = await understandSearches(ctx, searches)
  const ids: Condition[] = query.ids ? [{ is: 'in', of: 'id', values: query.ids }] : []
  const condition: Condition = {
    all: partsOf({ all: [...ids, view.condition, ...filters, search.condition] }),
  }
  return { words, view, condition, noted: search.noted, walks: walksFar }
}

/**
 * Returns the order of a list. Where numbers are hidden, their order is too: the place among known numbers would reveal them.
 */
function sortFor(ctx: Context, query: LeadQuery, view: SeenView): Sort {
  const sort = query.sort ?? view.sort ?? 'createdAt'
  if (sort !== 'phone' || !hidesDetails(ctx)) return sort
  if (query.sort === undefined) return 'createdAt'
  throw invalid([{ path: 'sort', message: 'Must not be phone, because numbers are hidden from your role.' }])
}

/** Returns one page of leads with the exact number of leads in the list. */
export async function listLeads(ctx: Context, query: LeadQuery, readView: ViewReader) {
  const offset = offsetOf(query)
  const understoodQuery = await understandQuery(ctx, query, readView, offset > NEAR_ROWS)
  const { words, view, condition, noted } = understoodQuery
  const sort = sortFor(ctx, query, view)
  const dir = query.dir ?? (query.sort ? null : view.dir)
  const descending = dir ? dir === 'desc' : DESCENDING_FIRST.has(sort)
  const depth = query.pageSize + offset
  const stretches =
    sort === 'createdAt'
      ? await stretchesOf(ctx, words, condition, depth)
      : sort === 'stageChangedAt'
        ? stageStretches(words, condition, depth)
        : null
  const countedTotal = countByCounters(ctx, words.pipeline, condition)
  if (!countedTotal && !understoodQuery.walks && !namesItsLeads(condition)) await requireLeadWalk(ctx)
  const [rows, total] = await Promise.all([
    listLeadRows(ctx, {
      condition,
      noted,
      sort,
      descending,
      stretches,
      limit: query.pageSize,
      offset,
    }),
    countedTotal ?? countByScan(ctx, condition, noted),
  ])
  return { leads: await showLeads(ctx, rows, words), total, page: query.page, pageSize: query.pageSize }
}

/**
 * Returns the number of leads and the sum of their deals per stage: every stage, in the order of the
 * pipeline.
 */
export async function summarizeLeads(ctx: Context, query: LeadsQuery, readView: ViewReader) {
  const { words, condition, noted, walks } = await understandQuery(ctx, query, readView, false)
  if (!walks && !namesItsLeads(condition)) await requireLeadWalk(ctx)
  const rows = new Map((await sumLeadsByStage(ctx, condition, noted)).map((row) => [row.stageId, row]))
  return words.pipeline.stages.map(({ id: stageId }) => {
    // Leads of removed stages count in the replacement.
    const parts = stageIdsOf(words.pipeline, stageId).flatMap((id) => rows.get(id) ?? [])
    return {
      stageId,
      count: parts.reduce((sum, part) => sum + part.count, 0),
      // Added in hundredths, to avoid rounding errors of binary fractions.
      dealValue: parts.reduce((sum, part) => sum + Math.round(part.dealValue * 100), 0) / 100,
    }
  })
}

async function requireLeadWalk(ctx: Context): Promise<void> {
  if (await hasManyLeads(ctx)) await requireCostlyRead(ctx)
}

async function findVisibleView(
  ctx: Context,
  words: LeadWords,
  name: string,
  readView: ViewReader,
): Promise<SeenView> {
  const system = SYSTEM_VIEWS.find((systemView) => systemView === name)
  if (system) return systemView(ctx, words, system)
  const saved = await readView(ctx, name)
  if (saved) return { condition: ALL, ...saved }
  throw invalid([
    {
      path: 'view',
      message: `Must be one of ${SYSTEM_VIEWS.join(', ')}, or the id of a saved view. See GET /views.`,
    },
  ])
}

/** With more matching notes, leads are checked one by one: words this frequent match soon. */
const MAX_NOTES = 5_000
const PHONE_DIGITS_LEAST = 3

/**
 * Returns the conditions of a search by a caller from whom numbers and addresses are hidden: they are found only if `q` is
 * the whole number or address, so that a search can't reveal them.
 */
function hiddenSearch(ctx: Context, q: string, patterns: string[]): Condition[] {
  const phones = readNumber(q, ctx.workspace).stored.flatMap((phone) => [phone, ...otherSpellings(phone)])
  return [
    { is: 'in', of: 'phone', values: phones.map(digitsOf) },
    // The index of words narrows the rows before the exact fields are compared.
    ...patterns.map(
      (pattern): Condition => ({
        all: [
          { is: 'like', of: 'words', pattern },
          {
            any: [
              { is: 'like', of: 'name', pattern },
              { is: 'in', of: 'email', values: [lowered(q.trim())] },
            ],
          },
        ],
      }),
    ),
  ]
}

/**
 * Resolves searches over name, email, and notes, and the beginning of numbers. Every search must match a
 * lead.
 */
async function understandSearches(
  ctx: Context,
  searches: string[],
): Promise<{ condition: Condition; noted: string[] }> {
  const notedIds: string[] = []
  const parts = await Promise.all(
    searches.map(async (q, i): Promise<Condition> => {
      const patterns = likePatterns(q, 'around')
      const digits = q.replace(/[\s+().-]/g, '')
      const isNumber = /^\d{1,15}$/.test(digits) && digits.length >= PHONE_DIGITS_LEAST
      const alternatives: Condition[] = hidesDetails(ctx)
        ? hiddenSearch(ctx, q, patterns)
        : [
            ...(isNumber ? phonePrefixes(ctx, q) : []).map((digits): Condition => ({ is: 'prefix', digits })),
            ...patterns.map((pattern): Condition => ({ is: 'like', of: 'words', pattern })),
          ]
      const ids = await listNotedLeads(ctx, patterns, MAX_NOTES + 1)
      // A statement takes one list of leads: that of the first search.
      if (ids.length > MAX_NOTES || (i > 0 && ids.length > 0))
        alternatives.push(...patterns.map((pattern): Condition => ({ is: 'noteLike', pattern })))
      else if (ids.length > 0) {
        notedIds.push(...new Set(ids))
        alternatives.push({ is: 'noted' })
      }
      return { any: alternatives }
    }),
  )
  return { condition: { all: parts }, noted: notedIds }
}

/** Maximum number of rows that a list by age reads in all its index ranges. */
const MAX_STRETCHED_ROWS = 100_000

/** Returns the owners or stages that a condition limits its leads to, the narrower of both first. */
async function stretchesOf(
  ctx: Context,
  { pipeline }: LeadWords,
  condition: Condition,
  depth: number,
): Promise<Stretches | null> {
  const parts = partsOf(condition)
  const idsOf = async (column: 'owner' | 'stage'): Promise<(string | null)[] | undefined> => {
    for (const part of parts) {
      if ('is' in part && part.is === 'in' && part.of === column) return part.values
      const other = 'not' in part ? part.not : undefined
      if (!other || !('is' in other) || other.is !== 'in' || other.of !== column) continue
      const out = new Set(other.values)
      const knownIds =
        column === 'owner'
          ? [null, ...(await listMembers(ctx.tx, ctx.workspace.id)).map((member) => member.id)]
          : [...pipeline.stages, ...pipeline.removedStages].map((stage) => stage.id)
      return knownIds.filter((id) => id === null || !out.has(id))
    }
    return undefined
  }
  for (const column of ['owner', 'stage'] as const) {
    const ids = await idsOf(column)
    if (ids && ids.length * depth <= MAX_STRETCHED_ROWS) return { column, ids: [...new Set(ids)] }
  }
  return null
}

/**
 * Returns the stages that a list by time in the stage reads one by one: those that the condition allows. Null if there are
 * too many for its depth.
 */
function stageStretches({ pipeline }: LeadWords, condition: Condition, depth: number): Stretches | null {
  const limits = partsOf(condition).flatMap((part) =>
    'is' in part && part.is === 'in' && part.of === 'stage' ? [new Set(part.values)] : [],
  )
  const ids = [...pipeline.stages, ...pipeline.removedStages]
    .map((stage) => stage.id)
    .filter((id) => limits.every((limit) => limit.has(id)))
  return ids.length * depth <= MAX_STRETCHED_ROWS ? { column: 'stage', ids } : null
}
