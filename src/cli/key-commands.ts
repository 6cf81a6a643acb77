import { ROLES } from '../core/context.ts'
import { refuse } from '../core/errors.ts'
import { SCOPES } from '../core/scopes.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../modules/platform/workspaces/operations/api-keys.ts'
import { getWorkspace } from '../modules/platform/workspaces/operations/workspaces.ts'
import { command } from './command.ts'
import { atLeastOne, id, instant, oneOf, ranges, required, someOf, text } from './flags.ts'
import { inInstallation } from './installation.ts'

export const keyCommands = [
  command({
    name: 'key create',
    summary: 'Create an API key and show it once.',
    flags: {
      workspace: required(id()),
      role: required(oneOf(ROLES)),
      scopes: atLeastOne(someOf(SCOPES, 'a,b')),
      expires: instant,
      allowIp: atLeastOne(ranges),
      label: text('L'),
      member: id(),
    },
    run: ({ workspace, role, scopes, expires, allowIp, label, member }, context) =>
      inInstallation(context, ({ tx, now }) => {
        if (expires !== undefined && expires <= now)
          refuse('invalid', `--expires: Must be in the future, not ${expires.toISOString()}.`)
        return createApiKey(
          tx,
          {
            workspaceId: workspace,
            role,
            scopes,
            expiresAt: expires,
            allowIps: allowIp,
            label,
            memberId: member,
          },
          now,
        )
      }),
  }),
  command({
    name: 'key list',
    summary: "List a workspace's API keys without their secrets.",
    flags: { workspace: required(id()) },
    run: ({ workspace }, context) =>
      inInstallation(context, async ({ tx }) => {
        await getWorkspace(tx, workspace)
        const keys = await listApiKeys(tx, workspace)
        return {
          keys: keys.map(({ id: keyId, ...key }) => ({ keyId, ...key })),
        }
      }),
  }),
  command({
    name: 'key revoke',
    summary: 'Revoke an API key. It stops working within a second.',
    flags: { key: required(id()) },
    run: ({ key }, context) => inInstallation(context, ({ tx, now }) => revokeApiKey(tx, key, now)),
  }),
]
