import { z } from 'zod'
import { Id } from '../../core/ids.ts'
import { Instant } from '../../core/text.ts'
import { SearchText, TagName } from '../contacts/schema.ts'
import { PRIORITIES, STATES } from '../conversations/schema.ts'
import { LeadFilter } from './filter-schema.ts'
import { Direction, Sort } from './lead-list-schema.ts'
import { GivenName } from './schema.ts'

/** Most saved views of a workspace. */
export const VIEWS_MAX = 200

export const PAGES = ['leads', 'inbox'] as const
export const Page = z.enum(PAGES, `Must be one of ${PAGES.join(', ')}.`)
export type ViewPage = z.output<typeof Page>

const yes = z.boolean('Must be true or false.').optional()
const SORTS = ['latest', 'waiting'] as const

/** What a view of the inbox asks of `GET /conversations`, by its names. */
export const ChatView = z
  .strictObject({
    assignee: z
      .union([z.enum(['me', 'none']), Id], 'Must be me, none, or the id of a member.')
      .optional()
      .meta({ description: '`me` is whoever looks, also in a shared view.', type: 'string' }),
    mentions: yes.meta({ description: 'Only those whose notes name whoever looks.' }),
    state: z
      .array(z.enum(STATES, `Must be one of ${STATES.join(', ')}.`))
      .min(1, 'Must not be empty.')
      .max(STATES.length)
      .optional(),
    unread: yes,
    archived: yes,
    priority: z.enum(PRIORITIES, `Must be one of ${PRIORITIES.join(', ')}.`).optional(),
    phoneNumberId: Id.optional(),
    tag: TagName.optional(),
    window: z.enum(['open', 'closed'], 'Must be open or closed.').optional(),
    sort: z.enum(SORTS, `Must be one of ${SORTS.join(', ')}.`).optional(),
  })
  .meta({ id: 'ChatView' })
export type ChatView = z.output<typeof ChatView>

/** A saved view of leads or of the inbox (docs/decisions/lead-lists.md). */
export const SavedView = z
  .object({
    id: Id,
    page: Page,
    name: z.string(),
    filter: LeadFilter.nullable().meta({ description: 'Of leads; stages, lost reasons and people by id.' }),
    chats: ChatView.nullable().meta({ description: 'Of the inbox.' }),
    q: z.string().nullable(),
    sort: Sort.nullable().meta({ description: 'Of leads.' }),
    dir: Direction.nullable().meta({ description: 'Of leads.' }),
    shared: z.boolean().meta({ description: 'False: only the member who saved it sees it.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'SavedView' })

const fields = {
  filter: LeadFilter.nullable().optional(),
  chats: ChatView.nullable().optional(),
  q: SearchText.nullable().optional(),
  sort: Sort.nullable().optional(),
  dir: Direction.nullable().optional(),
}

/** Query of `GET /views`. */
export const ViewQuery = z.object({ page: Page.default('leads') })

/** Body of `POST /views`. */
export const NewSavedView = z.strictObject({
  page: Page.default('leads').meta({
    description: 'Whose view it is; `chats` is for the inbox, the rest for leads.',
  }),
  name: GivenName,
  shared: z.boolean('Must be true or false.').default(true),
  ...fields,
})
export type NewSavedView = z.output<typeof NewSavedView>

/** Body of `PATCH /views/{id}`. */
export const SavedViewPatch = z.strictObject({
  name: GivenName.optional(),
  shared: z.boolean('Must be true or false.').optional(),
  ...fields,
})
export type SavedViewPatch = z.output<typeof SavedViewPatch>
