/** Operations that declare the custom fields of contacts (DECISIONS.md "Contacts"). */
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import {
  type ContactFieldRow,
  countContactFields,
  deleteContactFieldRow,
  findContactFieldByKey,
  findContactFieldForUpdate,
  insertContactField,
  listContactFieldRows,
  lockContactFields,
  updateContactFieldRow,
} from '../queries/fields.ts'
import { ATTRIBUTES_MAX } from '../schema.ts'
import type { ContactFieldPatch, NewContactField } from '../settings-schema.ts'

const notFound = (): never => refuse('not_found', 'Contact field not found. See GET /contact-fields.')

const getContactFieldForUpdate = async (ctx: Context, id: string): Promise<ContactFieldRow> =>
  (isUuid(id) ? await findContactFieldForUpdate(ctx, id) : undefined) ?? notFound()

/** Returns one page of declared fields, newest first. */
export async function listContactFields(
  ctx: Context,
  page: CursorQuery,
): Promise<{ rows: ContactFieldRow[]; nextCursor: string | null }> {
  return cutPage(await listContactFieldRows(ctx, page), page.limit, (row) => row.id)
}

/**
 * Declares a field. Returns `conflict` when its key is declared, or the workspace has the maximum number of
 * fields.
 */
export async function declareContactField(ctx: Context, input: NewContactField): Promise<ContactFieldRow> {
  await lockContactFields(ctx)
  const existing = await findContactFieldByKey(ctx, input.key)
  if (existing)
    refuse(
      'conflict',
      `The field ${existing.id} already has the key ${JSON.stringify(input.key)}. Choose another.`,
      {
        fieldId: existing.id,
      },
    )
  if ((await countContactFields(ctx)) >= ATTRIBUTES_MAX)
    refuse('conflict', `Contact field limit reached (${ATTRIBUTES_MAX}). Delete one first.`)
  const row: ContactFieldRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    key: input.key,
    label: input.label ?? input.key,
    type: input.type,
    options: input.options ?? null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  await insertContactField(ctx, row)
  touch(ctx, { contactField: row.id })
  return row
}

/** Changes label and options. Stored values of contacts stay. */
export async function changeContactField(
  ctx: Context,
  id: string,
  patch: ContactFieldPatch,
): Promise<ContactFieldRow> {
  const before = await getContactFieldForUpdate(ctx, id)
  if (patch.options !== undefined && before.type !== 'select')
    throw invalid([
      {
        path: 'options',
        message: `Must be left out unless the field is of type select. This one is ${before.type}.`,
      },
    ])
  const row = {
    ...before,
    label: patch.label ?? before.label,
    options: patch.options ?? before.options,
    updatedAt: ctx.now,
  }
  await updateContactFieldRow(ctx, row)
  touch(ctx, { contactField: row.id })
  return row
}

/** Deletes the declaration. Stored values of contacts stay, and the key accepts any value again. */
export async function deleteContactField(ctx: Context, id: string): Promise<void> {
  await getContactFieldForUpdate(ctx, id)
  await deleteContactFieldRow(ctx, id)
  touch(ctx, { contactField: id })
}
