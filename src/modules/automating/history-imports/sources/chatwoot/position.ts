/** How far an import from Chatwoot has read. It contains no data of customers. */
import { z } from 'zod'

/** Pages are read from the last to the first, so that deletions and new entries hide none. Null: the last page; 0: none is left. */
const Page = z.int().min(0).nullable()

const Plan = z.object({
  /** Our members by agents' ids in Chatwoot. */
  members: z.record(z.string(), z.string()),
  labels: z.array(z.string()),
  /** The inboxes, with the cause why an inbox is left out. */
  inboxes: z.array(z.object({ id: z.int(), cause: z.string().nullable() })),
})
export type Plan = z.output<typeof Plan>

/** A conversation that is not read to its end: its id, its key, and the id of the last message that was read. */
const Unread = z.tuple([z.int(), z.string(), z.int()])
export type Unread = z.output<typeof Unread>

export const Position = z.discriminatedUnion('step', [
  z.object({ step: z.literal('contacts'), plan: Plan, page: Page }),
  z.object({ step: z.literal('labels'), plan: Plan, label: z.int(), page: Page }),
  z.object({
    step: z.literal('chats'),
    plan: Plan,
    inbox: z.int(),
    page: Page,
    queue: z.array(Unread),
  }),
])
export type Position = z.output<typeof Position>
export type StepOf<Step extends Position['step']> = Extract<Position, { step: Step }>
