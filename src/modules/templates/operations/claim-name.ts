import { later, SECOND_MS } from '../../../core/clock.ts'
import type { Context } from '../../../core/context.ts'
import { refuse } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import {
  insertTemplateRows,
  listTemplatesByKeyForUpdate,
  type TemplateKey,
  type TemplateRow,
  updateTemplateRows,
} from '../queries.ts'
import type { NewTemplate } from '../schema.ts'

/** A little less than an unfinished request holds its Idempotency-Key (spec 4.1.1): its retry finds the name free. */
const CLAIM_MS = 100 * SECOND_MS

/** A name that a request holds while it asks the operator. */
export type Claim = {
  row: TemplateRow
  /** An earlier request may have submitted it: the operator is asked first. */
  mayExist: boolean
}

/**
 * Records the intent to submit a template: from now on its name and language belong to this request, for 100 seconds at
 * most. Refuses `conflict`, naming the template that has the name, unless that one was never confirmed by the operator.
 */
export async function claimName(ctx: Context, key: TemplateKey, body: NewTemplate): Promise<Claim> {
  const [existing] = await listTemplatesByKeyForUpdate(ctx.tx, [key])
  const claimed: TemplateRow = {
    ...key,
    id: existing?.id ?? newId(),
    category: body.category,
    status: 'pending',
    metaTemplateId: null,
    parameterFormat: body.parameterFormat,
    components: body.components,
    rejectedReason: null,
    quality: null,
    submission: 'submitting',
    attempt: newId(),
    submittingUntil: later(ctx.now, CLAIM_MS),
    syncedAt: ctx.now,
    statusReportedAt: null,
    categoryReportedAt: null,
    componentsReportedAt: null,
    createdAt: existing?.createdAt ?? ctx.now,
    updatedAt: ctx.now,
  }
  if (!existing) {
    const inserted = await insertTemplateRows(ctx.tx, [claimed])
    // A twin inserted it meanwhile; its row is committed, so this look finds it.
    return inserted.has(claimed.id) ? { row: claimed, mayExist: false } : claimName(ctx, key, body)
  }
  if (existing.submission === 'submitted')
    refuse('conflict', `The template ${key.name} (${key.language}) exists: ${existing.id}.`, {
      id: existing.id,
    })
  if (existing.submission === 'submitting' && existing.submittingUntil! > ctx.now)
    refuse('conflict', `The template ${key.name} (${key.language}) is being submitted: ${existing.id}.`, {
      id: existing.id,
    })
  await updateTemplateRows(ctx.tx, [claimed])
  return { row: claimed, mayExist: true }
}
