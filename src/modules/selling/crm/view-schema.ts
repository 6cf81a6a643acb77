import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { Instant } from '../../../core/values/text.ts'
import { SearchText, TagName } from '../../messaging/contacts/schema.ts'
import { CHANNELS, PRIORITIES, STATES } from '../../messaging/conversations/schema.ts'
import { LeadFilter } from './filter-schema.ts'
import { Direction, Sort } from './lead-list-schema.ts'
import { GivenName } from './schema.ts'

/** Maximum number of saved views in a workspace. */
export const VIEWS_MAX = 200

export const PAGES = ['leads', 'inbox'] as const
export const Page = z.enum(PAGES, `Must be one of ${PAGES.join(', ')}.`)
export type ViewPage = z.output<typeof Page>

const flag = z.boolean('Must be true or false.').optional()
const SORTS = ['latest', 'waiting'] as const

/** The query parameters of `GET /conversations` that an inbox view stores. */
export const ChatView = z
  .strictObject({
    assignee: z
      .union([z.enum(['me', 'none']), Id], 'Must be me, none, or the id of a member.')
      .optional()
      .meta({ description: '`me` is the member who opens the view, also in a shared view.', type: 'string' }),
    mentions: flag.meta({
      description: 'Only conversations with notes that mention the member who opens the view.',
    }),
    state: z
      .array(z.enum(STATES, `Must be one of ${STATES.join(', ')}.`))
      .min(1, 'Must not be empty.')
      .max(STATES.length)
      .optional(),
    teamId: z.union([z.literal('none'), Id], 'Must be none or the id of a team.').optional(),
    unread: flag,
    archived: flag,
    snoozed: flag,
    priority: z.enum(PRIORITIES, `Must be one of ${PRIORITIES.join(', ')}.`).optional(),
    phoneNumberId: Id.optional(),
    channel: z.enum(CHANNELS, `Must be one of ${CHANNELS.join(', ')}.`).optional(),
    tag: TagName.optional(),
    window: z.enum(['open', 'closed'], 'Must be open or closed.').optional(),
    sort: z.enum(SORTS, `Must be one of ${SORTS.join(', ')}.`).optional(),
  })
  .meta({
    id: 'ChatView',
    description: 'A filter and an order of the inbox.',
    fields: {
      state: 'Only conversations in one of these states.',
      teamId: 'Only conversations of this team, or of no team (`none`).',
      unread: 'Only conversations with unread messages (`true`), or only the others (`false`).',
      archived: 'Only archived conversations (`true`), or only the others (`false`).',
      snoozed: 'Only snoozed conversations (`true`), or only the others (`false`).',
      priority: 'Only conversations of this priority.',
      phoneNumberId: 'Only conversations on this number.',
      channel:
        'Only conversations on your numbers (`chat`), or only direct chats of the photo network (`social`). Default: both.',
      tag: 'Only conversations with contacts that have this tag.',
      window: 'Whether the 24-hour window is open or closed.',
      sort: '`latest`: newest message first; `waiting`: longest waiting first.',
    },
  })
export type ChatView = z.output<typeof ChatView>

const VIEW_FIELDS = {
  name: 'Name of the view.',
  filter: 'Filter of leads; null for none.',
  chats: 'Filter and order of the inbox; null for a view of leads.',
  q: 'Words to search for; null for none.',
  sort: 'Field to sort leads by; null for the default.',
  dir: 'Sort direction; null for the default.',
  page: 'Page that the view belongs to.',
}

/** A saved view of leads or of the inbox (DECISIONS.md "Lists of leads"). */
export const SavedView = z
  .object({
    id: Id,
    page: Page,
    name: z.string(),
    filter: LeadFilter.nullable().meta({
      description: 'Filter of leads; stages, lost reasons, and members are given by id. Null for none.',
    }),
    chats: ChatView.nullable().meta({
      description: 'Filter and order of the inbox; null for a view of leads.',
    }),
    q: z.string().nullable(),
    sort: Sort.nullable().meta({ description: 'Field that leads are sorted by; null for the default.' }),
    dir: Direction.nullable().meta({ description: 'Field that leads are sorted by; null for the default.' }),
    shared: z.boolean().meta({ description: 'Whether all members see it; false if only its creator does.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'SavedView', description: 'A saved filter of leads or of the inbox.', fields: VIEW_FIELDS })

const fields = {
  filter: LeadFilter.nullable().optional(),
  chats: ChatView.nullable().optional(),
  q: SearchText.nullable().optional(),
  sort: Sort.nullable().optional(),
  dir: Direction.nullable().optional(),
}

/** Query of `GET /views`. */
export const ViewQuery = z
  .object({ page: Page.default('leads') })
  .meta({ fields: { page: 'Page whose views to list.' } })

/** Body of `POST /views`. */
export const NewSavedView = z
  .strictObject({
    page: Page.default('leads').meta({
      description: 'Page of the view: `chats` for the inbox, the others for leads.',
    }),
    name: GivenName,
    shared: z.boolean('Must be true or false.').default(true),
    ...fields,
  })
  .meta({ fields: VIEW_FIELDS })
export type NewSavedView = z.output<typeof NewSavedView>

/** Body of `PATCH /views/{id}`. */
export const SavedViewPatch = z
  .strictObject({
    name: GivenName.optional(),
    shared: z.boolean('Must be true or false.').optional(),
    ...fields,
  })
  .meta({ fields: VIEW_FIELDS })
export type SavedViewPatch = z.output<typeof SavedViewPatch>
