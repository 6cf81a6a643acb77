/** People's mappings of fields for submissions of one shape (DECISIONS.md "The lead-capture link"). */
import type { Context, Unit } from '../../../../core/context.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { listMappings, saveMapping } from '../queries/capture-submissions.ts'
import type { Answer } from './capture-answers.ts'
import type { FieldMapping } from './capture-fields.ts'

const MAX_MAPPINGS = 200

/** Returns the shape of a submission: its form, and the paths of its fields in any order. */
export const shapeOf = (answers: readonly Answer[], form: string | null): Buffer =>
  sha256(JSON.stringify([form, [...new Set(answers.map(({ path }) => path))].sort()]))

/**
 * Returns the mapping for each submission: of its shape, or of its form if the submission has the mapped
 * number field.
 */
export async function mappingsOf(
  unit: Unit,
  lookups: { ctx: Context; answers: readonly Answer[]; form: string | null }[],
): Promise<(FieldMapping | undefined)[]> {
  const found = await listMappings(
    unit.tx,
    lookups.map(({ ctx, answers, form }) => ({
      workspaceId: ctx.workspace.id,
      shape: shapeOf(answers, form),
      form,
    })),
  )
  const byPlace = new Map(found.map(({ place, fields }) => [place - 1, fields]))
  return lookups.map((_, i) => byPlace.get(i))
}

/** Stores a mapping for the next submissions of the shape. */
export const rememberMapping = (
  ctx: Context,
  answers: readonly Answer[],
  form: string | null,
  fields: FieldMapping,
): Promise<unknown> => saveMapping(ctx, { shape: shapeOf(answers, form), form, fields }, MAX_MAPPINGS)
