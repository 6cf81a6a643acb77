import { createSignInLink, signInPath } from '../modules/platform/access/operations/sign-in-links.ts'
import { command } from './command.ts'
import { id, required } from './flags.ts'
import { inInstallation } from './installation.ts'

export const signInCommand = command({
  name: 'sign-in',
  summary: 'Create a link that signs a member in to the dashboard once, within 15 minutes.',
  flags: { member: required(id()) },
  run: ({ member }, context) =>
    inInstallation(context, async ({ tx, now, config }) => ({
      url: config.siteUrl + signInPath(await createSignInLink(tx, member, now)),
    })),
})
