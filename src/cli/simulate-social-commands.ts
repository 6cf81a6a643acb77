// Simulates customers of the photo network. Their actions take effect in a running server immediately.
import { type Stage, simulateComment, simulateDm } from '../modules/automating/sandbox/simulate-social.ts'
import { isReportWaiting } from '../modules/selling/social/intake/operations/intake.ts'
import { type CommandContext, command, UsageError } from './command.ts'
import { between, id, required, switchFlag, text } from './flags.ts'
import { inDatabase } from './installation.ts'
import { waitUntilApplied } from './wait-until-applied.ts'

const MAX_PHOTOS = 10
const MAX_AGO_SECONDS = 365 * 86_400

/** Simulates a report, and waits until the running server has applied it. */
const simulateReport = <Answer>(
  context: CommandContext,
  workspaceId: string,
  simulate: (stage: Stage) => Promise<Answer>,
  reportOf: (answer: Answer) => string,
): Promise<Answer> =>
  inDatabase(context, async (database, sealer) => {
    const answer = await database.system((tx) => simulate({ tx, sealer, workspaceId }))
    await waitUntilApplied(() => isReportWaiting(database.query, workspaceId, reportOf(answer)))
    return answer
  })

const dm = command({
  name: 'simulate dm',
  summary:
    'Send a direct message from a customer on the simulated photo network. --seconds-ago dates it back.',
  flags: {
    workspace: required(id()),
    from: required(text('USERNAME')),
    text: required(text('T')),
    photos: between(0, MAX_PHOTOS),
    ago: between(0, MAX_AGO_SECONDS),
  },
  run: ({ workspace, from, text, photos, ago }, context) =>
    simulateReport(
      context,
      workspace,
      (stage) => simulateDm(stage, omitUndefined({ from, text, photos, agoSeconds: ago })),
      ({ messageId }) => messageId,
    ),
})

const comment = command({
  name: 'simulate comment',
  summary: 'Comment on a post of the simulated account, reply in a thread, or mention the account.',
  flags: {
    workspace: required(id()),
    from: required(text('USERNAME')),
    text: required(text('T')),
    media: text('ID'),
    replyTo: text('COMMENT_ID'),
    mention: switchFlag,
  },
  run: ({ workspace, from, text, media, replyTo, mention }, context) => {
    if (mention && replyTo !== undefined)
      throw new UsageError(
        "Give --mention or --reply-to, not both. A mention is always on another account's post.",
      )
    return simulateReport(
      context,
      workspace,
      (stage) => simulateComment(stage, omitUndefined({ from, text, mediaId: media, replyTo, mention })),
      ({ commentId }) => commentId,
    )
  },
})

// Omits flags that were not given.
const omitUndefined = <T extends object>(flags: T) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** Commands that simulate customers of the photo network. */
export const simulateSocialCommands = [dm, comment]
