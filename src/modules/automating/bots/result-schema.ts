/** Shapes of the results of a bot. */
import { z } from 'zod'
import { Instant } from '../../../core/values/text.ts'

/** The newest starts that the results read; the list of bots counts no more. */
export const MAX_RESULT_STARTS = 20_000
export const RESULT_DAYS = 30
/** The newest versions of a bot that its results compare. */
export const MAX_RESULT_VERSIONS = 20

const NodeResult = z.object({
  id: z.string().meta({ description: 'Id of the node.', example: 'menu' }),
  reached: z.int().meta({ description: 'Starts that reached the node.' }),
  left: z.int().meta({ description: 'Starts that ended at the node without an answer of the customer.' }),
  handedOver: z.int().meta({ description: 'Starts that were handed to a teammate at the node.' }),
  endedByTeammate: z.int().meta({
    description: 'Starts that ended at the node because a teammate took over the chat.',
  }),
  ended: z.int().meta({ description: 'Starts that ended at the node because the bot has no next step.' }),
  active: z.int().meta({ description: 'Starts that wait at the node now.' }),
})

const ENDS = {
  ended: z.int().meta({ description: 'Starts that came to the end of the bot.' }),
  handedOver: z.int().meta({ description: 'Starts that were handed to a teammate.' }),
  endedByTeammate: z.int().meta({
    description: 'Starts that ended because a teammate took over the chat.',
  }),
  left: z.int().meta({ description: 'Starts that ended without an answer of the customer.' }),
  active: z.int().meta({ description: 'Starts in which the bot is still active.' }),
}

const VersionResult = z.object({
  version: z.int().meta({ description: 'Version of the bot.' }),
  since: Instant.meta({ description: 'First start of this version that was read.' }),
  starts: z.int().meta({ description: 'Starts of this version that were read.' }),
  ...ENDS,
})

/** The results of a bot in the last 30 days. */
export const BotResults = z
  .object({
    from: Instant.meta({ description: 'Start of the 30 days, in UTC.' }),
    version: z
      .int()
      .nullable()
      .meta({ description: 'The version whose starts are counted; null for all versions.' }),
    starts: z.int().meta({
      description: `Starts that were read: the newest ${MAX_RESULT_STARTS.toLocaleString('en')} at most.`,
    }),
    limited: z.boolean().meta({ description: 'Whether there are more starts in this time than were read.' }),
    conversations: z.int().meta({ description: 'Number of conversations in which the bot started.' }),
    ...ENDS,
    versions: z.array(VersionResult).meta({
      description: `Results by version, newest first, ${MAX_RESULT_VERSIONS} at most. Starts from before versions were counted have none.`,
    }),
    nodes: z.array(NodeResult).meta({ description: 'The nodes of today, in their order.' }),
  })
  .meta({ id: 'BotResults', description: 'Results of a bot in the last 30 days, by node.' })
