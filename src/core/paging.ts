import { z } from 'zod'
import { invalid } from './errors.ts'
import { isUuid, isUuid7 } from './ids.ts'

const PAGE_LIMIT_MAX = 100
const PAGE_LIMIT_DEFAULT = 50

/** A whole number in a query, which arrives as text. */
export const wholeNumber = (least: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Must be a whole number from ${least} to ${max}.`)
    .transform(Number)
    .refine((n) => n >= least && n <= max, `Must be a whole number from ${least} to ${max}.`)

/** A row's id as a place to go on from. In small letters, as ids are written and compared. */
export const placeInList = (otherwise: string) =>
  z
    .string()
    .refine(isUuid7, otherwise)
    .transform((id) => id.toLowerCase())

/** Query of a cursor-paginated list (spec 2.1). */
export const cursorQuery = {
  limit: wholeNumber(1, PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .meta({
      description: `Rows on the page, 1 to ${PAGE_LIMIT_MAX}. Default: ${PAGE_LIMIT_DEFAULT}.`,
      // As the reference shows it; it arrives as text.
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
    }),
  cursor: placeInList('Must be the `nextCursor` of the previous page.')
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
}

/** Ids that a list is asked for at once: a page of any list. */
const IDS_MAX = PAGE_LIMIT_MAX

/** Query of lists that can be narrowed to rows by their ids; unknown ids are left out. */
export const idsQuery = {
  ids: z
    .string()
    .transform((text) => [
      ...new Set(
        text
          .toLowerCase()
          .split(',')
          .map((id) => id.trim()),
      ),
    ])
    .refine((ids) => ids.every(isUuid), 'Must be ids separated by commas.')
    .refine((ids) => ids.length <= IDS_MAX, `Must have at most ${IDS_MAX} ids.`)
    .optional()
    .meta({
      description: `Only rows with these ids, 1 to ${IDS_MAX}, separated by commas. Unknown ids are ignored.`,
      type: 'string',
    }),
}

export type CursorQuery = { limit: number; cursor?: string | undefined }

const ROWS = 'The rows of this page.'

/** Reply of a cursor-paginated list: `{[name]: rows, nextCursor}`. */
export const cursorPage = <Name extends string, Row extends z.ZodType>(name: Name, row: Row) =>
  z.object({
    [name]: z.array(row).meta({ description: ROWS }),
    nextCursor: z.string().nullable(),
  } as Record<Name, z.ZodArray<Row>> & {
    nextCursor: z.ZodNullable<z.ZodString>
  })

/**
 * Cuts a page out of one row more than was asked for. The cursor is the id of the last row, so it
 * keeps its place even when that row is erased.
 */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  idOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last ? idOf(last) : null }
}

/** Highest row that a page-numbered list reaches: what lies deeper is found by filters. */
const PAGE_DEPTH_MAX = 100_000

/** Query of a page-numbered list (spec 2.1, docs/clarifications.md: `pageSize` 1 to 100). */
export const pageQuery = {
  page: wholeNumber(1, PAGE_DEPTH_MAX)
    .default(1)
    .meta({ description: 'Page number. Default: 1.', type: 'integer', minimum: 1 }),
  pageSize: wholeNumber(1, PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .meta({
      description: `Rows per page, 1 to ${PAGE_LIMIT_MAX}. Default: ${PAGE_LIMIT_DEFAULT}.`,
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
    }),
}

export type PageQuery = { page: number; pageSize: number }

/** How many rows come before a page; refuses pages beyond the depth that a list is read to. */
export function offsetOf({ page, pageSize }: PageQuery): number {
  const offset = (page - 1) * pageSize
  if (offset > PAGE_DEPTH_MAX)
    throw invalid([{ path: 'page', message: `Must not go past row ${PAGE_DEPTH_MAX}. Add filters instead.` }])
  return offset
}

/** Reply of a page-numbered list: `{[name]: rows, total, page, pageSize}`, with `more` fields beside them. */
export const numberedPage = <Name extends string, Row extends z.ZodType, More extends z.ZodRawShape>(
  name: Name,
  row: Row,
  more: More,
) =>
  z.object({
    [name]: z.array(row).meta({ description: ROWS }),
    total: z.number().int().meta({ description: 'Number of rows on all pages.' }),
    page: z.number().int(),
    pageSize: z.number().int(),
    ...more,
  })
