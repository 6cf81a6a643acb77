import { fetchProfile } from '../adapters/social-profile.ts'
import type { Config } from '../config.ts'
import { SOCIAL_CALLBACK_PATH } from '../http/callbacks/social-callback.ts'
import {
  connectAccount,
  disconnectAccount,
  findBrokenSimulated,
  inventAccount,
  type NewAccount,
  requireNoSandbox,
} from '../modules/selling/social/operations/accounts.ts'
import { type CommandContext, command, UsageError } from './command.ts'
import { id, oneOf, required, secret, text } from './flags.ts'
import { inInstallation } from './installation.ts'

type ConnectFlags = {
  workspace: string
  account?: string | undefined
  token?: string | undefined
  appSecret?: string | undefined
  verifyToken?: string | undefined
}

const callbackUrlOf = ({ siteUrl }: Pick<Config, 'siteUrl'>, workspaceId: string): string =>
  `${siteUrl}${SOCIAL_CALLBACK_PATH}/${workspaceId}`

export const socialCommands = [
  command({
    name: 'social connect',
    summary:
      'Connect a simulated or real photo network account. Run it again with a new token to repair the connection.',
    flags: {
      workspace: required(id()),
      network: required(oneOf(['simulator', 'graph'])),
      account: text('ID'),
      token: secret('T'),
      appSecret: secret('S'),
      verifyToken: secret('V'),
    },
    run: async ({ network, ...flags }, context) => {
      const networkAccount = network === 'graph' ? await accountAtNetwork(flags, context) : undefined
      return inInstallation(context, async ({ tx, now, sealer, config }) => {
        const { workspace } = flags
        const account =
          networkAccount ?? inventAccount(workspace, await findBrokenSimulated(tx.sql, workspace))
        return {
          ...(await connectAccount(tx, account, now, sealer)),
          callbackUrl: callbackUrlOf(config, workspace),
        }
      })
    },
  }),
  command({
    name: 'social disconnect',
    summary: 'Disconnect the photo network account. Its chats and comments stay.',
    flags: { workspace: required(id()) },
    run: ({ workspace }, context) =>
      inInstallation(context, async ({ tx, now, config }) => ({
        ...(await disconnectAccount(tx, workspace, now)),
        callbackUrl: callbackUrlOf(config, workspace),
      })),
  }),
]

/** Returns the account of the token, as the network reports it. */
async function accountAtNetwork(flags: ConnectFlags, context: CommandContext): Promise<NewAccount> {
  const { workspace, account, token, appSecret, verifyToken } = flags
  if (!account || !token || !appSecret || !verifyToken)
    throw new UsageError(
      '--network graph also requires --account, --token, --app-secret, and --verify-token.',
    )
  // Before the call: if the workspace may not connect accounts, the token is not sent.
  await inInstallation(context, ({ tx }) => requireNoSandbox(tx, workspace))
  const profile = await fetchProfile(context.config(), { token, networkId: account })
  return { workspaceId: workspace, network: 'graph', profile, token, appSecret, verifyToken }
}
