/** Chooses the variant for the rest of a campaign by hand (DECISIONS.md "Comparing templates"). */
import { realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { recordActivity } from '../../../platform/workspaces/operations/activity.ts'
import { getTemplate } from '../../templates/operations/read-templates.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'
import { listVariants } from '../queries/variants.ts'
import type { VariantName } from '../variant-schema.ts'
import { numberOfVariant } from './assign-variant.ts'
import { applyChange, lockBroadcast } from './change-broadcast.ts'
import { emitChoice, winnerColumns } from './variants.ts'

/** Refuses `conflict` unless the sample of a running or paused campaign is sent and no variant is chosen. */
function checkChoice({ testPhase, status }: BroadcastRow): void {
  if (testPhase === null) refuse('conflict', "The campaign has one template. There's nothing to choose.")
  if (testPhase === 'decided') refuse('conflict', 'Another variant was already chosen. It stays.')
  if (status !== 'running' && status !== 'paused')
    refuse('conflict', `The campaign is ${status}. Choose a variant while it runs or is paused.`)
  if (testPhase === 'sample')
    refuse('conflict', 'The sample is still being sent. Choose a variant after its last message.')
}

/**
 * Sends the variant to the rest of the audience; before its time if Parley would decide. Choosing the same variant twice
 * changes nothing. Refuses `not_found`, `invalid_reference` for a variant that the campaign does not have, and `conflict`.
 */
export async function chooseVariant(ctx: Context, id: string, name: VariantName): Promise<BroadcastRow> {
  const row = await lockBroadcast(ctx, id)
  const number = numberOfVariant(name)
  if (row.testPhase === 'decided' && row.winner === number) return row
  checkChoice(row)
  const variant = (await listVariants(ctx, row.id)).find((candidate) => candidate.number === number)
  if (!variant) refuse('conflict', `The campaign has no variant ${name}. Choose one of its variants.`)
  const template = await getTemplate(ctx, variant.templateId).catch(() => undefined)
  if (template?.status !== 'approved')
    refuse('conflict', `The template of variant ${name} can't be sent now. Choose another variant.`)
  await recordActivity(ctx, 'broadcast.variant_chosen', {
    broadcastId: row.id,
    name: row.name,
    variant: name,
  })
  emitChoice(ctx, row, variant, 'manual')
  return applyChange(ctx, row, {
    ...winnerColumns(ctx, variant),
    // A paused campaign continues when it is resumed.
    ...(row.status === 'running' ? { runAt: realTime(ctx.now, ctx.workspace) } : {}),
  })
}
