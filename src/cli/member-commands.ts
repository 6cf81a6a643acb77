import { ROLES } from '../core/context.ts'
import { setMemberAndInvitation } from '../modules/platform/access/operations/members.ts'
import { resetFactors } from '../modules/platform/access/operations/reset-factors.ts'
import { getWorkspace } from '../modules/platform/workspaces/operations/get-workspace.ts'
import { addMember, listMembers } from '../modules/platform/workspaces/operations/workspace-members.ts'
import { command } from './command.ts'
import { email, id, name, oneOf, required, switchFlag } from './flags.ts'
import { inInstallation } from './installation.ts'

export const memberCommands = [
  command({
    name: 'member add',
    summary: 'Add a member to a workspace.',
    flags: {
      workspace: required(id()),
      email: required(email),
      name: required(name),
      role: required(oneOf(ROLES)),
    },
    run: ({ workspace, ...member }, context) =>
      inInstallation(context, async ({ tx, now }) => ({
        ...(await addMember(tx, { workspaceId: workspace, ...member }, now)),
        workspaceId: workspace,
        ...member,
      })),
  }),
  command({
    name: 'member set',
    summary:
      "Change a member's role, email, or name, or remove them. A lower role or removal revokes their keys.",
    flags: {
      member: required(id()),
      role: oneOf(ROLES),
      email,
      name,
      leave: switchFlag,
    },
    run: ({ member, ...patch }, context) =>
      inInstallation(context, ({ tx, now }) => setMemberAndInvitation(tx, member, patch, now)),
  }),
  command({
    name: 'member reset-factors',
    summary:
      "Remove a teammate's authenticator app, passkeys, and recovery codes when they are lost. Ends their sessions and mails them.",
    operand: 'EMAIL|MEMBER',
    flags: {},
    run: ({ operand }, context) =>
      inInstallation(context, ({ tx, now, sealer, config }) =>
        resetFactors(tx, operand, { now, sealer, mails: config.mail !== undefined }),
      ),
  }),
  command({
    name: 'member list',
    summary: "List a workspace's members.",
    flags: { workspace: required(id()) },
    run: ({ workspace }, context) =>
      inInstallation(context, async ({ tx }) => {
        await getWorkspace(tx, workspace)
        const members = await listMembers(tx, workspace)
        return {
          members: members.map(({ id: memberId, name, email, role, owner, leftAt, createdAt }) => ({
            memberId,
            name,
            email,
            role,
            owner,
            leftAt,
            createdAt,
          })),
        }
      }),
  }),
]
