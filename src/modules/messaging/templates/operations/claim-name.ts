import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { enqueue } from '../../../../database/sql/enqueue-jobs.ts'
import { UNRATED } from '../../../../operator/port.ts'
import { keepSample, settleTemplate } from '../jobs.ts'
import { findClosedUntil } from '../queries/names.ts'
import {
  insertTemplateRows,
  listTemplatesByKeyForUpdate,
  type TemplateKey,
  type TemplateRow,
  updateTemplateRows,
} from '../queries/templates.ts'
import type { NewTemplate } from '../schema.ts'
import { sampleSourceOf } from './header-media.ts'

/**
 * Slightly shorter than an unfinished request keeps its Idempotency-Key (spec 4.1.1), so that its retry finds
 * the name free.
 */
const CLAIM_MS = 100 * SECOND_MS

/** A name that a request has reserved while it asks the operator. */
export type Claim = {
  row: TemplateRow
  /** An earlier request may have submitted the template: the operator is asked first. */
  mayExist: boolean
}

/** Reserves the name. If this request ends without a recorded result, a job asks the operator later. */
async function claim(ctx: Context, row: TemplateRow, mayExist: boolean): Promise<Claim> {
  await enqueue(ctx, settleTemplate, { templateId: row.id }, row.submittingUntil!)
  const source = sampleSourceOf(row)
  if (source !== undefined) await enqueue(ctx, keepSample, { templateId: row.id, source })
  return { row, mayExist }
}

/**
 * Records the intent to submit a template: for at most 100 seconds its name and language belong to this
 * request. Refuses with `conflict`, naming the template with the name, unless the operator never confirmed
 * that one; also for a name that the operator blocks after a deletion.
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
    quality: UNRATED,
    submission: 'submitting',
    attempt: newId(),
    submittingUntil: later(ctx.now, CLAIM_MS),
    syncedAt: ctx.now,
    statusReportedAt: null,
    categoryReportedAt: null,
    qualityReportedAt: null,
    componentsReportedAt: null,
    createdAt: existing?.createdAt ?? ctx.now,
    updatedAt: ctx.now,
  }
  if (!existing) {
    const closedUntil = await findClosedUntil(ctx, key)
    if (closedUntil)
      refuse(
        'conflict',
        `The template ${key.name} (${key.language}) was deleted. Its name is reserved until ${closedUntil.toISOString()}. Choose another name.`,
      )
    const inserted = await insertTemplateRows(ctx.tx, [claimed])
    // A concurrent duplicate inserted the row meanwhile; it is committed, so the next read finds it.
    return inserted.has(claimed.id) ? claim(ctx, claimed, false) : claimName(ctx, key, body)
  }
  if (existing.submission === 'submitted')
    refuse(
      'conflict',
      `The template ${existing.id} already has the name ${key.name} (${key.language}). Choose another name or language.`,
      {
        id: existing.id,
      },
    )
  if (existing.submission === 'submitting' && existing.submittingUntil! > ctx.now)
    refuse(
      'conflict',
      `The template ${key.name} (${key.language}) is already being submitted (${existing.id}). Wait for its result.`,
      {
        id: existing.id,
      },
    )
  await updateTemplateRows(ctx.tx, [claimed])
  return claim(ctx, claimed, true)
}
