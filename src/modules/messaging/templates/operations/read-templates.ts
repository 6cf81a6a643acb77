import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { containsLike } from '../../../../database/sql/like.ts'
import { findTemplateRow, listTemplateRows, type TemplateRow } from '../queries/templates.ts'
import { languageCode, type TemplateStatus } from '../schema.ts'

/** Returns a template by our id or the operator's. Refuses with `not_found`. */
export async function getTemplate(ctx: Context, ref: string): Promise<TemplateRow> {
  const column = isUuid(ref) ? 'id' : /^\d{1,32}$/.test(ref) ? 'metaTemplateId' : undefined
  const found = column && (await findTemplateRow(ctx, column, ref))
  return found ?? refuse('not_found', 'Template not found. See GET /templates.')
}

export type TemplateFilter = CursorQuery & {
  ids?: string[] | undefined
  status?: TemplateStatus | undefined
  category?: string | undefined
  language?: string | undefined
  name?: string | undefined
  /** A part of the name; null: any name. */
  search?: string | null | undefined
}

/** Returns one page of templates, newest first (spec 4.3). */
export async function listTemplates(
  ctx: Context,
  { search, language, ...filter }: TemplateFilter,
): Promise<{ rows: TemplateRow[]; nextCursor: string | null }> {
  const rows = await listTemplateRows(ctx, {
    ...filter,
    language: language && languageCode(language),
    pattern: search ? containsLike(search.toLowerCase()) : undefined,
  })
  return cutPage(rows, filter.limit, (row) => row.id)
}
