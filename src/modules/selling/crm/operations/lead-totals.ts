/**
 * Returns the number of leads in a list (DECISIONS.md "Lists of leads"), from counters if they suffice, or
 * counted through an index.
 *
 * `lead_topics` in migrations/0013_lead_lists.sql maintains the counters: `people` per stage, owner, rating,
 * and lost reason; `source` and `tag` per stage; `phone` per six digits; `born` and `due` per quarter of an
 * hour.
 */
import type { Context } from '../../../../core/context.ts'
import { type Comparison, type Condition, isLowered, partsOf } from '../lead-condition.ts'
import {
  countLeadRows,
  type LeadTopic,
  listLeadCounts,
  listLeadCountsBeginning,
  listLeadCountsOf,
} from '../queries/lead-lists.ts'
import { asksOnly, matches, peopleOf } from './lead-facts.ts'
import type { Pipeline } from './pipeline.ts'
import { prefixSearchOf } from './prefix-search.ts'

const PEOPLE = new Set(['stage', 'owner', 'rating', 'lostReason'])
const SOURCES = new Set(['stage', 'source'])
const STAGES = new Set(['stage'])

/** The number of digits in `phone` counters. */
const PREFIX_DIGITS = 6
const ID_LENGTH = 36
/** Sorts after every value of a topic. */
const END = '\u{10ffff}'

const QUARTER_HOUR_MS = 15 * 60_000
const isQuarterHour = (moment: Date): boolean => moment.getTime() % QUARTER_HOUR_MS === 0
/** Returns the time in the format of `quarter_hour` in the migration. */
const quarterHour = (moment: Date): string =>
  String(Math.max(0, Math.floor(moment.getTime() / QUARTER_HOUR_MS))).padStart(10, '0')

/** Returns how many leads match `condition` if counters have the answer; undefined otherwise. */
export const countByCounters = (
  ctx: Context,
  pipeline: Pipeline,
  condition: Condition,
): Promise<number> | undefined =>
  countByFacts(ctx, condition) ??
  countByTag(ctx, pipeline, condition) ??
  countByTime(ctx, condition) ??
  countByPrefix(ctx, condition)

/** Returns the same by counting leads. `notedIds`: the leads that `noted` in the condition means. */
export const countByScan = (ctx: Context, condition: Condition, notedIds: string[]): Promise<number> =>
  countBesidePrefix(ctx, condition, notedIds) ?? countLeadRows(ctx, condition, notedIds)

const UNIQUE = new Set(['id', 'contactId', 'phone'])

/** Returns whether a condition selects leads by a unique field, so that finding them takes no time. */
export const namesItsLeads = (condition: Condition): boolean =>
  partsOf(condition).some((part) => 'is' in part && part.is === 'in' && UNIQUE.has(part.of))

const sum = (counts: { amount: number }[]): number => counts.reduce((total, { amount }) => total + amount, 0)

function countByFacts(ctx: Context, condition: Condition): Promise<number> | undefined {
  if (asksOnly(condition, PEOPLE))
    return listLeadCounts(ctx, 'people', '', END).then((counts) =>
      sum(counts.filter(({ value }) => matches(condition, peopleOf(value)))),
    )
  return asksOnly(condition, SOURCES) && isLowered(condition) ? countBySource(ctx, condition) : undefined
}

async function countBySource(ctx: Context, condition: Condition): Promise<number> {
  const [people, sources] = await Promise.all([
    listLeadCounts(ctx, 'people', '', END),
    listLeadCounts(ctx, 'source', '', END),
  ])
  const namedCounts = sources.map(({ value, amount }) => {
    const [stage, source] = splitId(value)
    return { facts: { stage, source }, amount }
  })
  const stages = Map.groupBy(people, ({ value }) => peopleOf(value).stage)
  const nameless = [...stages].map(([stage, counts]) => ({
    facts: { stage, source: null },
    amount: sum(counts) - sum(namedCounts.filter(({ facts }) => facts.stage === stage)),
  }))
  return sum([...namedCounts, ...nameless].filter(({ facts }) => matches(condition, facts)))
}

const splitId = (value: string): [string, string] => [value.slice(0, ID_LENGTH), value.slice(ID_LENGTH + 1)]

/** Returns the part about a single subject, if all other parts are about stages. */
function partBesideStages<Part extends Condition>(
  condition: Condition,
  isIt: (part: Condition) => part is Part,
): { matching: Part[]; rest: Condition } | undefined {
  const parts = partsOf(condition)
  const matching = parts.filter(isIt)
  const rest = parts.filter((part) => !isIt(part))
  return matching.length > 0 && rest.every((part) => asksOnly(part, STAGES))
    ? { matching, rest: { all: rest } }
    : undefined
}

type Tagged = Extract<Condition, { is: 'tagged' }>
const isOneTag = (part: Condition): part is Tagged =>
  'is' in part && part.is === 'tagged' && part.tags.length === 1

function countByTag(ctx: Context, pipeline: Pipeline, condition: Condition): Promise<number> | undefined {
  const found = partBesideStages(condition, isOneTag)
  if (!found || found.matching.length > 1) return undefined
  const stages = [...pipeline.stages, ...pipeline.removedStages].filter(({ id }) =>
    matches(found.rest, { stage: id }),
  )
  const values = stages.map(({ id }) => `${id}|${found.matching[0]!.tags[0]}`)
  return listLeadCountsOf(ctx, 'tag', values).then(sum)
}

type Timed = Extract<Condition, { value: Date }>
const isTimed = (part: Condition): part is Timed =>
  'is' in part &&
  'value' in part &&
  part.value instanceof Date &&
  (part.is === 'gte' || part.is === 'lt') &&
  isQuarterHour(part.value)

function countByTime(ctx: Context, condition: Condition): Promise<number> | undefined {
  const found = partBesideStages(condition, isTimed)
  if (!found) return undefined
  const [first] = found.matching
  const topic: LeadTopic | undefined =
    first!.of === 'createdAt' ? 'born' : first!.of === 'nextFollowUpAt' ? 'due' : undefined
  const isMixed = found.matching.some((part) => part.of !== first!.of)
  // Creation times aren't counted by stage.
  if (!topic || isMixed || (topic === 'born' && partsOf(found.rest).length > 0)) return undefined
  // All due times before 1970 are counted in the first quarter of an hour.
  if (topic === 'due' && found.matching.some((part) => part.value.getTime() <= 0)) return undefined
  const slots = (operator: Comparison) =>
    found.matching
      .filter((part) => part.is === operator)
      .map((part) => quarterHour(part.value))
      .sort()
  const from = slots('gte').at(-1) ?? ''
  const upperBound = slots('lt')[0] ?? END
  return listLeadCounts(ctx, topic, from, upperBound).then((counts) =>
    sum(
      counts.filter(({ value }) => topic === 'born' || matches(found.rest, { stage: value.split('|')[1]! })),
    ),
  )
}

/** Counts numbers with certain prefixes. */
function countByPrefix(ctx: Context, condition: Condition): Promise<number> | undefined {
  const search = prefixSearchOf(condition)
  return search && search.others.length === 0 ? countPrefixes(ctx, search.separate) : undefined
}

/** Counts the same, plus a search's other matches, which are usually few. */
function countBesidePrefix(
  ctx: Context,
  condition: Condition,
  notedIds: string[],
): Promise<number> | undefined {
  const search = prefixSearchOf(condition)
  if (!search) return undefined
  const otherMatches: Condition = { all: [{ any: search.others }, { not: { any: search.prefixes } }] }
  return Promise.all([countPrefixes(ctx, search.separate), countLeadRows(ctx, otherMatches, notedIds)]).then(
    ([counted, more]) => counted + more,
  )
}

async function countPrefixes(ctx: Context, prefixes: string[]): Promise<number> {
  const shortPrefixes = prefixes.filter((digits) => digits.length <= PREFIX_DIGITS)
  const longer: Condition[] = prefixes
    .filter((digits) => digits.length > PREFIX_DIGITS)
    .map((digits) => ({ is: 'prefix', digits }))
  const [phones, rows] = await Promise.all([
    shortPrefixes.length > 0 ? listLeadCountsBeginning(ctx, 'phone', shortPrefixes).then(sum) : 0,
    longer.length > 0 ? countLeadRows(ctx, { any: longer }, []) : 0,
  ])
  return phones + rows
}
