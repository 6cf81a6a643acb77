// Customers of the simulated photo network act. What is simulated takes effect in a running server at once.
import { simulateComment, simulateDm } from '../modules/sandbox/simulate-social.ts'
import { command, UsageError } from './command.ts'
import { between, givenOrNot, id, required, text } from './flags.ts'
import { inInstallation } from './installation.ts'

const MAX_PHOTOS = 10
const MAX_AGO_SECONDS = 365 * 86_400

const dm = command({
  name: 'simulate dm',
  summary: 'A customer writes in a direct chat of the simulated photo network, or wrote so many seconds ago.',
  flags: {
    workspace: required(id()),
    from: required(text('USERNAME')),
    text: required(text('T')),
    photos: between(0, MAX_PHOTOS),
    ago: between(0, MAX_AGO_SECONDS),
  },
  run: ({ workspace, from, text, photos, ago }, at) =>
    inInstallation(at, ({ tx, sealer }) =>
      simulateDm({ tx, sealer, workspaceId: workspace }, given({ from, text, photos, agoSeconds: ago })),
    ),
})

const comment = command({
  name: 'simulate comment',
  summary:
    'Somebody comments under a post of the simulated account, replies in a thread, or mentions it elsewhere.',
  flags: {
    workspace: required(id()),
    from: required(text('USERNAME')),
    text: required(text('T')),
    media: text('ID'),
    replyTo: text('COMMENT_ID'),
    mention: givenOrNot,
  },
  run: ({ workspace, from, text, media, replyTo, mention }, at) => {
    if (mention && replyTo !== undefined)
      throw new UsageError(
        '--mention and --reply-to cannot be combined: a mention is under the post of somebody else',
      )
    return inInstallation(at, ({ tx, sealer }) =>
      simulateComment(
        { tx, sealer, workspaceId: workspace },
        given({ from, text, mediaId: media, replyTo, mention }),
      ),
    )
  },
})

// What was not named is absent.
const given = <T extends object>(flags: T) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** Commands that let customers of the simulated photo network act. */
export const simulateSocialCommands = [dm, comment]
