import { z } from 'zod'
import { invalid } from './errors.ts'
import { isUuid, isUuid7 } from './ids.ts'

const PAGE_LIMIT_MAX = 100
const PAGE_LIMIT_DEFAULT = 50

/** A whole number in a query, where it arrives as text. */
export const wholeNumber = (least: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Must be a whole number from ${least} to ${max}.`)
    .transform(Number)
    .refine((n) => n >= least && n <= max, `Must be a whole number from ${least} to ${max}.`)

/** A row's id from which a list continues. Lower-case, because ids are stored and compared in lower case. */
export const rowIdParam = (message: string) =>
  z
    .string()
    .refine(isUuid7, message)
    .transform((id) => id.toLowerCase())

/** Query of a cursor-paginated list (spec 2.1). */
export const cursorQuery = {
  limit: wholeNumber(1, PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .meta({
      description: `Rows on the page, 1 to ${PAGE_LIMIT_MAX}. Default: ${PAGE_LIMIT_DEFAULT}.`,
      // The type for the reference, although the value arrives as text.
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
    }),
  cursor: rowIdParam('Must be the `nextCursor` of the previous page.')
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
}

/** Maximum ids in one request of a list: a page of any list. */
const IDS_MAX = PAGE_LIMIT_MAX

/** Query of lists that can be narrowed by row ids; unknown ids are ignored. */
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
 * Makes a page from the requested rows and one more. The cursor is the id of the last row, so it keeps its position even when
 * that row is erased.
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

/** The last row that a page-numbered list reaches; filters find later rows. */
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

/** Returns the number of rows before a page; refuses pages beyond the readable depth of a list. */
export function offsetOf({ page, pageSize }: PageQuery): number {
  const offset = (page - 1) * pageSize
  if (offset > PAGE_DEPTH_MAX)
    throw invalid([{ path: 'page', message: `Must not go past row ${PAGE_DEPTH_MAX}. Add filters instead.` }])
  return offset
}

/** Reply of a page-numbered list: `{[name]: rows, total, page, pageSize}`, with the fields of `more`. */
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
