/** Schemas of campaigns that compare templates (DECISIONS.md "Comparing templates"). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant, JsonObject } from '../../../core/values/text.ts'

const COMPONENTS_MAX = 20
const [VARIANTS_MIN, VARIANTS_MAX] = [2, 3]
const MAX_PERCENT = 100
const WAIT_MINUTES_MIN = 15
/** Two weeks. */
const WAIT_MINUTES_MAX = 20_160
const DEFAULT_WAIT_MINUTES = 240

export const VARIANT_NAMES = ['A', 'B', 'C'] as const
export type VariantName = (typeof VARIANT_NAMES)[number]

export const DECIDERS = ['read', 'replied', 'tapped', 'manual'] as const
export type Decider = (typeof DECIDERS)[number]

/** The values of a campaign's template. */
export const CampaignVariables = z.strictObject({
  components: z
    .array(JsonObject)
    .max(COMPONENTS_MAX, `Must have at most ${COMPONENTS_MAX} components.`)
    .optional(),
})

const wholeNumber = (min: number, max: number) => {
  const message = `Must be a whole number from ${min} to ${max}.`
  return z.number(message).int(message).min(min, message).max(max, message)
}

const NewVariant = z.strictObject({
  templateId: Id.meta({ description: 'Id of an approved template.' }),
  variables: CampaignVariables.optional().meta({
    description: 'Values of the template, as in the campaign.',
  }),
  share: wholeNumber(1, MAX_PERCENT - 1)
    .optional()
    .meta({
      description: 'Share of the sample in percent. Variants without a share divide the rest equally.',
    }),
})

/** The fields of a campaign that compares templates. */
export const variantFields = {
  variants: z
    .array(NewVariant)
    .min(VARIANTS_MIN, `Must have ${VARIANTS_MIN} or ${VARIANTS_MAX} variants.`)
    .max(VARIANTS_MAX, `Must have ${VARIANTS_MIN} or ${VARIANTS_MAX} variants.`)
    .optional()
    .meta({
      description:
        'Two or three templates to compare, in place of `templateId` and `variables`: variants A, B, and C. A sample of the audience gets them, and the rest gets the better one.',
    }),
  test: z
    .strictObject({
      samplePercent: wholeNumber(1, MAX_PERCENT).meta({
        description: 'Share of the audience that gets the variants, in percent. 100: all of it.',
      }),
      decideBy: z.enum(DECIDERS, `Must be one of ${DECIDERS.join(', ')}.`).meta({
        description:
          'Rate that chooses the variant for the rest: messages read, recipients who replied, or recipients who tapped a quick reply. `manual`: an admin chooses.',
      }),
      waitMinutes: wholeNumber(WAIT_MINUTES_MIN, WAIT_MINUTES_MAX)
        .default(DEFAULT_WAIT_MINUTES)
        .meta({ description: 'Minutes from the last message of the sample to the decision.' }),
    })
    .optional()
    .meta({ description: 'How `variants` are compared. Required with `variants`.' }),
}

export type Compared = {
  templateId?: string | undefined
  variables?: unknown
  variants?: z.output<typeof variantFields.variants>
  test?: unknown
}

type Fault = { path: string[]; message: string }

/** Returns the faults of a campaign that has both a template and variants, or neither. */
export function variantIssues({ templateId, variables, variants, test }: Compared): Fault[] {
  const issue = (path: string[], message: string): Fault => ({ path, message })
  if (!variants) {
    return [
      ...(templateId === undefined ? [issue(['templateId'], 'Required, or set variants.')] : []),
      ...(test === undefined ? [] : [issue(['test'], 'Must be left out without variants.')]),
    ]
  }
  const shares = variants.flatMap(({ share }) => (share === undefined ? [] : [share]))
  const sum = shares.reduce((total, share) => total + share, 0)
  const isWhole =
    shares.length === variants.length
      ? sum === MAX_PERCENT
      : sum <= MAX_PERCENT - (variants.length - shares.length)
  return [
    ...(templateId === undefined ? [] : [issue(['templateId'], 'Must be left out with variants.')]),
    ...(variables === undefined ? [] : [issue(['variables'], 'Must be left out with variants.')]),
    ...(test === undefined ? [issue(['test'], 'Must be set with variants.')] : []),
    ...(isWhole ? [] : [issue(['variants'], 'The shares must add up to 100.')]),
  ]
}

const TEST_STATES = ['planned', 'sampling', 'measuring', 'decided', 'compared'] as const

/** The comparison of a campaign in replies. */
export const BroadcastTest = z
  .object({
    samplePercent: z.number().int(),
    decideBy: z.enum(DECIDERS),
    waitMinutes: z.number().int(),
    state: z.enum(TEST_STATES).meta({
      description:
        '`planned`: not started. `sampling`: the sample is sent. `measuring`: its results are awaited. `decided`: the rest gets the winner. `compared`: the whole audience was the sample.',
    }),
    decidesAt: Instant.nullable().meta({
      description:
        'When Parley chooses the variant for the rest; null before the sample is sent, and if an admin chooses.',
    }),
    decidedAt: Instant.nullable().meta({ description: 'When the variant for the rest was chosen.' }),
    winner: z.enum(VARIANT_NAMES).nullable().meta({ description: 'Variant that the rest gets.' }),
    variants: z.array(
      z.object({
        name: z.enum(VARIANT_NAMES).meta({ description: 'Name of the variant: A, B, or C.' }),
        templateId: Id,
        templateName: z.string(),
        variables: CampaignVariables.nullable().meta({
          description: 'Values of the template, as they were sent; null without values.',
        }),
        share: z.number().int().meta({ description: 'Share of the sample in percent.' }),
      }),
    ),
  })
  .meta({
    id: 'BroadcastTest',
    description: 'A comparison of two or three templates in a campaign.',
    fields: {
      samplePercent: 'Share of the audience that gets the variants, in percent.',
      decideBy: 'Rate that chooses the variant for the rest; `manual`: an admin chooses.',
      waitMinutes: 'Minutes from the last message of the sample to the decision.',
      variants: 'Templates that are compared.',
    },
  })

/** Body of `POST /broadcasts/{id}/choose`. */
export const ChooseBody = z.strictObject({
  variant: z
    .enum(VARIANT_NAMES, `Must be one of ${VARIANT_NAMES.join(', ')}.`)
    .meta({ description: 'Variant that the rest of the audience gets.' }),
})
