import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { requiredText } from '../../messaging/contacts/schema.ts'

const URL_MAX = 500
const TOKEN_MAX = 300
/** The first part of the paths of pages, because people copy the address of a page. */
const PAGES = ['app', 'auth']

/** Returns the base URL in an address, without a page, a query, or a slash at the end; undefined for any other text. */
export function baseUrlIn(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const page = parts.findIndex((part) => PAGES.includes(part))
  return [url.origin, ...(page < 0 ? parts : parts.slice(0, page))].join('/')
}

const BaseUrl = requiredText(URL_MAX)
  .refine((text) => baseUrlIn(text) !== undefined, 'Must be an address, such as https://app.chatwoot.com.')
  .transform((text) => baseUrlIn(text)!)
  .meta({
    description: 'Address of your Chatwoot. Must start with https:// unless it is in a private network.',
    example: 'https://app.chatwoot.com',
  })

/** Body of `POST /history-imports/chatwoot`. */
export const NewChatwootImport = z.strictObject({
  url: BaseUrl,
  accountId: z.int('Must be a whole number.').min(1).max(2_147_483_647).meta({
    description: 'Number of the account in Chatwoot, as in `/app/accounts/1` of its pages.',
    example: 1,
  }),
  token: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, 'Must be the access token of an administrator.')
    .max(TOKEN_MAX, `Must be at most ${TOKEN_MAX} characters.`)
    .meta({
      description:
        'Access token of an administrator, from Profile Settings in Chatwoot. It is stored encrypted until the import ends.',
      example: 'Zq1tK6uYhT5vW8xB3nM9pL2s',
    }),
  phoneNumberId: Id.optional().meta({
    description:
      'Your number to which the messages belong. Inboxes with another number of yours are left out: each number has its own import. Default: your first active number.',
  }),
  dryRun: z
    .boolean('Must be true or false.')
    .default(false)
    .meta({ description: 'Whether to only read the account and report, and store nothing.' }),
})
export type NewChatwootImport = z.output<typeof NewChatwootImport>
