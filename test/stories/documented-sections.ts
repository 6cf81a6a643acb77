/** The sections of the documentation with `curl` commands, and how to run each. */
import type { DocumentedShell } from '../support/documented-shell.ts'

export type Section = {
  page: string
  heading: string
  /** The number of its commands, so that none is overlooked. */
  commands: number
  /** The workspace of `ID` and `KEY`. Without one, the commands of the page create it. */
  workspace?: 'sandbox' | 'real' | 'social'
  /** Replaces a placeholder by the last match of its pattern in the output so far. */
  placeholders?: Record<string, RegExp>
  /** Commands of an earlier section that this one requires. */
  earlier?: string[]
  /** Runs commands that a program printed, before the command with this number. */
  printed?: Record<number, (shell: DocumentedShell) => Promise<void>>
  /** Waits, before the command with this number, until the output of the command matches. */
  waits?: Record<number, [command: string, expected: RegExp]>
}

const CREATED = { ID: /"workspaceId": ?"([^"]+)"|^workspaceId +(\S+)/m, KEY: /apiKey"?:? *"?(pk_\w+)/ }
const CREATED_WORKSPACE = { WORKSPACE: CREATED.ID, KEY: CREATED.KEY }
const SITE = 'http://localhost:4000/api/v1'

export const SECTIONS: Section[] = [
  { page: 'README.md', heading: 'The first message from a program', commands: 3, workspace: 'sandbox' },
  {
    page: 'docs/quick-start.md',
    heading: 'Send a message from a program',
    commands: 4,
    workspace: 'sandbox',
  },
  {
    page: 'docs/cells.md',
    heading: 'Serve all cells at one address',
    commands: 3,
    workspace: 'sandbox',
    earlier: ['parley cell create c7'],
  },
  {
    page: 'docs/guides/owners.md',
    heading: 'Share chats among a team',
    commands: 1,
    workspace: 'sandbox',
  },
  {
    page: 'docs/guides/assistants.md',
    heading: 'Connect a desktop app over standard input and output',
    commands: 1,
    workspace: 'sandbox',
  },
  { page: 'docs/guides/assistants.md', heading: 'Connect over HTTP', commands: 1, workspace: 'sandbox' },
  {
    page: 'docs/guides/coexistence.md',
    heading: 'Get the earlier chats',
    commands: 2,
    workspace: 'sandbox',
    placeholders: { NUMBER: /"phoneNumbers":\[\{"id":"([^"]+)"/ },
  },
  { page: 'docs/guides/payments.md', heading: 'Try it in a sandbox', commands: 8, workspace: 'sandbox' },
  {
    page: 'docs/guides/payments.md',
    heading: 'Rehearse the real connection',
    commands: 10,
    placeholders: { ...CREATED, 'plink_…': /(plink_\w+)/ },
    waits: {
      6: [`curl -s ${SITE}/conversations -H "Authorization: Bearer KEY"`, /919812345678/],
      7: [`curl -s ${SITE}/payment-requests/ORD-1001 -H "Authorization: Bearer KEY"`, /plink_/],
      9: [`curl -s ${SITE}/payment-requests/ORD-1001 -H "Authorization: Bearer KEY"`, /"status":"paid"/],
    },
  },
  {
    page: 'docs/guides/photo-network.md',
    heading: 'Set up a workspace',
    commands: 3,
    placeholders: CREATED_WORKSPACE,
  },
  {
    page: 'docs/guides/photo-network.md',
    heading: 'Answer your first direct message',
    commands: 4,
    placeholders: { ...CREATED_WORKSPACE, CHAT: /"conversations":\[\{"id":"([^"]+)"/ },
  },
  {
    page: 'docs/guides/photo-network.md',
    heading: 'Answer your first comment',
    commands: 4,
    placeholders: { ...CREATED_WORKSPACE, COMMENT: /"comments":\[\{"id":"([^"]+)"/ },
  },
  {
    page: 'docs/guides/photo-network.md',
    heading: 'Answer a comment privately',
    commands: 2,
    placeholders: { ...CREATED_WORKSPACE, COMMENT: /"comments":\[\{"id":"([^"]+)"/ },
    printed: {
      1: (shell) =>
        shell.run(
          'curl -H "Authorization: Bearer KEY" -H "User-Agent: my-app" "http://localhost:4000/api/v1/social/comments?filter=needs_reply"',
        ),
    },
  },
  {
    page: 'docs/guides/photo-network.md',
    heading: 'Rehearse the real connection',
    commands: 2,
    workspace: 'social',
    placeholders: { TOKEN: /--network graph .* --token (\S+)/ },
    printed: {
      1: async (shell) => {
        const [connect, subscribe] = shell.printed(/^social +(.*)$/m, ['connect', 'subscribe'])
        await shell.run(connect!)
        const [callbackUrl] = shell.printed(/^callbackUrl +(http.*)$/m)
        await shell.run(subscribe!.replace('CALLBACK', callbackUrl!))
      },
    },
  },
  {
    page: 'docs/guides/publishing-posts.md',
    heading: 'Connect an account',
    commands: 4,
    placeholders: CREATED,
  },
  {
    page: 'docs/guides/publishing-posts.md',
    heading: 'Publish a post from a program',
    commands: 7,
    placeholders: { ...CREATED, MEDIA_ID: /"mediaId":"([^"]+)"/, POST_ID: /"post":\{"id":"([^"]+)"/ },
  },
  {
    page: 'docs/guides/publishing-posts.md',
    heading: 'Read the results',
    commands: 2,
    placeholders: CREATED,
  },
  { page: 'docs/guides/shops.md', heading: 'Try it in a sandbox', commands: 6, workspace: 'sandbox' },
  { page: 'docs/guides/shops.md', heading: 'Connect Shopify', commands: 1, workspace: 'real' },
  { page: 'docs/guides/shops.md', heading: 'Connect WooCommerce', commands: 1, workspace: 'real' },
  {
    page: 'docs/guides/shops.md',
    heading: 'Connect a shop of your own',
    commands: 2,
    workspace: 'real',
    placeholders: { $INTAKE_URL: /"intakeUrl":"([^"]+)"/, $SECRET: /"secret":"([^"]+)"/ },
  },
  { page: 'docs/guides/shops.md', heading: 'Check the reports of a shop', commands: 1, workspace: 'real' },
]
