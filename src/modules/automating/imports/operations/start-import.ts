import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { importFileRows } from '../jobs.ts'
import { deleteImport, type ImportRow, updateImport } from '../queries.ts'
import { FIELDS_OF, type ImportChoices, PHONE_FIELDS, type StartImport } from '../schema.ts'
import { choiceIssues, chooseHeading } from './import-choices.ts'
import { isAttribute, mappingIssues } from './mapped-rows.ts'
import { getImport, getImportForUpdate } from './read-imports.ts'

/**
 * Stores the mapping and starts a dry run or a run. Refuses with `invalid`, and with `conflict` while it is
 * running.
 */
export async function startImport(ctx: Context, id: string, start: StartImport): Promise<ImportRow> {
  const row = await getImportForUpdate(ctx, id)
  if (row.state === 'checking' || row.state === 'running')
    refuse('conflict', 'This import is running. Wait until it is done.', { state: row.state })
  if (row.state === 'done')
    refuse('conflict', 'This import is done. Upload the file again to repeat it.', {
      state: 'done',
    })
  const { kind, mapping, constants, dryRun } = start
  // Imported rows of a stopped run are deleted, so its file is read with the same choices.
  const isResumed = row.state === 'failed'
  const file = isResumed ? row : { ...row, ...(await chooseHeading(ctx, row, start.headingLine)) }
  const issues = [
    ...mappingIssues(mapping, { kind, columns: file.columns }),
    ...choiceIssues(start, file.columns),
  ]
  const fields: readonly string[] = FIELDS_OF[kind]
  for (const field of Object.keys(constants))
    if (isPhoneField(field) || (!fields.includes(field) && !isAttribute(field)))
      issues.push({ path: `constants.${field}`, message: 'Must not be set for all rows.' })
  if (issues.length > 0) throw invalid(issues)
  const counts = isResumed ? { refused: 0 } : { created: 0, updated: 0, refused: 0 }
  const run = row.run + 1
  await enqueue(ctx, importFileRows, { importId: row.id, run })
  touch(ctx, { import: row.id })
  const { columns, evidence, heading, headingLine } = file
  return (await updateImport(ctx, row.id, {
    ...counts,
    columns,
    evidence,
    heading,
    headingLine,
    kind,
    mapping,
    constants,
    choices: choicesOf(start),
    run,
    done: heading,
    people: 0,
    error: null,
    state: dryRun ? 'checking' : 'running',
  }))!
}

const isPhoneField = (field: string): boolean => (PHONE_FIELDS as readonly string[]).includes(field)

const choicesOf = ({ countryColumn, formats }: ImportChoices): NonNullable<ImportRow['choices']> => ({
  ...(countryColumn === undefined ? {} : { countryColumn }),
  ...(formats === undefined ? {} : { formats }),
})

/** Deletes an import with its rows. A running import stops, and imported records stay. */
export async function deleteImportById(ctx: Context, id: string): Promise<void> {
  const row = await getImport(ctx, id)
  await deleteImport(ctx.tx, { workspaceId: ctx.workspace.id, importId: row.id })
  touch(ctx, { import: row.id })
}
