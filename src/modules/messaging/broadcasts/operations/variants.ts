/** The contents of campaigns: one template, or variants to compare (DECISIONS.md "Comparing templates"). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { emit } from '../../../../core/event.ts'
import { json } from '../../../../database/sql/sql.ts'
import type { CampaignContent } from '../../messages/sending/operations/campaign-content.ts'
import { broadcastVariantChosen } from '../events.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'
import { putVariants, type VariantRow, type VariantSummary } from '../queries/variants.ts'
import type { NewBroadcast } from '../schema.ts'
import type { BroadcastTest, Decider } from '../variant-schema.ts'
import { fillShares, nameOfVariant } from './assign-variant.ts'
import type { Assessment, PlannedContent } from './gates.ts'

type Template = Assessment['contents'][number]['template']
export type FilledTemplate = { template: Template; sendable: CampaignContent }
type NewVariants = NonNullable<NewBroadcast['variants']>

/** Returns the contents of a request: its variants, or its only template. */
export const plannedContents = ({
  templateId,
  variables,
  variants,
}: Pick<NewBroadcast, 'templateId' | 'variables' | 'variants'>): PlannedContent[] =>
  // The schema requires a template where there are no variants.
  variants ?? [{ templateId: templateId!, variables }]

/** Returns the columns of a template with its values. */
export const contentColumns = ({ template, sendable }: FilledTemplate) => ({
  templateName: template.name,
  content: json(sendable.content),
  templateText: sendable.templateText,
  personal: sendable.personal && json(sendable.personal),
})

export const variablesColumn = (variables: PlannedContent['variables']): string | null =>
  variables ? json(variables) : null

/** Returns the columns of a comparison; none for a campaign with one template. */
export const testColumns = ({ test }: Pick<NewBroadcast, 'test'>) =>
  test ? { ...test, testPhase: 'sample' } : {}

type Stored = { id: string; variants: NewVariants; filled: FilledTemplate[] }

/** Stores the variants of a new campaign. */
export async function storeVariants(ctx: Context, { id, variants, filled }: Stored): Promise<void> {
  const shares = fillShares(variants.map(({ share }) => share))
  await putVariants(
    ctx,
    variants.map(({ templateId, variables }, i) => ({
      workspaceId: ctx.workspace.id,
      broadcastId: id,
      number: i + 1,
      templateId: templateId.toLowerCase(),
      share: shares[i]!,
      variables: variablesColumn(variables),
      ...contentColumns(filled[i]!),
    })),
  )
}

/** Stores the variants with their templates as they are now. */
export async function refillVariants(
  ctx: Context,
  variants: VariantRow[],
  filled: FilledTemplate[],
): Promise<void> {
  await putVariants(
    ctx,
    variants.map((variant, i) => ({
      ...variant,
      variables: variablesColumn(variant.variables),
      ...contentColumns(filled[i]!),
    })),
  )
}

/** Returns the columns of a campaign whose rest gets this variant. It then continues like one with a single template. */
export const winnerColumns = (ctx: Pick<Context, 'now'>, variant: VariantRow) => ({
  testPhase: 'decided',
  decidesAt: null,
  decidedAt: ctx.now,
  winner: variant.number,
  templateId: variant.templateId,
  templateName: variant.templateName,
  variables: variablesColumn(variant.variables),
  content: json(variant.content),
  templateText: variant.templateText,
  personal: variant.personal && json(variant.personal),
})

/** Emits that the rest of the audience gets a variant. `decideBy`: `manual` if an admin chose it. */
export function emitChoice(
  ctx: Context,
  { id, name }: Pick<BroadcastRow, 'id' | 'name'>,
  { number, templateName }: VariantRow,
  decideBy: Decider,
): void {
  emit(ctx, broadcastVariantChosen, {
    broadcastId: id,
    name,
    variant: nameOfVariant(number),
    templateName,
    decideBy,
  })
}

/** Returns whether the campaign has variants and none is chosen yet. */
export const isUndecided = ({ testPhase }: Pick<BroadcastRow, 'testPhase'>): boolean =>
  testPhase === 'sample' || testPhase === 'measure'

const WHOLE_AUDIENCE = 100
/** Returns whether the whole audience is the sample, so that nothing is left to decide. */
export const isWholeAudience = ({ samplePercent }: Pick<BroadcastRow, 'samplePercent'>): boolean =>
  samplePercent === WHOLE_AUDIENCE

type TestState = z.input<typeof BroadcastTest>['state']

function stateOf(row: BroadcastRow): TestState {
  if (row.testPhase === 'decided') return 'decided'
  if (row.testPhase === 'measure') return 'measuring'
  if (!row.startedAt) return 'planned'
  return isWholeAudience(row) && row.completedAt ? 'compared' : 'sampling'
}

/** Returns the comparison of a campaign as in replies; null for a campaign with one template. */
export const presentTest = (
  row: BroadcastRow,
  variants: readonly VariantSummary[],
): z.input<typeof BroadcastTest> | null =>
  row.testPhase === null
    ? null
    : {
        samplePercent: row.samplePercent!,
        decideBy: row.decideBy as Decider,
        waitMinutes: row.waitMinutes!,
        state: stateOf(row),
        decidesAt: row.decidesAt?.toISOString() ?? null,
        decidedAt: row.decidedAt?.toISOString() ?? null,
        winner: row.winner === null ? null : nameOfVariant(row.winner),
        variants: variants.map(({ number, templateId, templateName, variables, share }) => ({
          name: nameOfVariant(number),
          templateId,
          templateName,
          variables,
          share,
        })),
      }
