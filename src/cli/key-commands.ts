import { ROLES } from '../core/context.ts'
import { refuse } from '../core/errors.ts'
import { SCOPES } from '../core/scopes.ts'
import { getWorkspace } from '../modules/platform/workspaces/operations/get-workspace.ts'
import { listApiKeys } from '../modules/platform/workspaces/operations/list-api-keys.ts'
import { command } from './command.ts'
import { atLeastOne, id, instant, oneOf, ranges, required, someOf, text } from './flags.ts'
import { inInstallation } from './installation.ts'

// Not loaded for `key list`, which is often run by scripts.
const loadOperations = () => import('../modules/platform/workspaces/operations/api-keys.ts')

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
      inInstallation(context, async ({ tx, now }) => {
        if (expires !== undefined && expires <= now)
          refuse('invalid', `--expires: Must be in the future, not ${expires.toISOString()}.`)
        const { createApiKey } = await loadOperations()
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
    run: async ({ key }, context) => {
      const { revokeApiKey } = await loadOperations()
      return inInstallation(context, ({ tx, now }) => revokeApiKey(tx, key, now))
    },
  }),
]
