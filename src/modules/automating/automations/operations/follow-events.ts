/** Starts runs for a transaction's events, in that transaction. */
import type { Clock } from '../../../../core/clock.ts'
import { beforeCommit, type Unit } from '../../../../core/context.ts'
import { type PendingEvent, SCREEN_CHANGED } from '../../../../core/event.ts'
import type { Listeners } from '../listeners.ts'
import { type HeardEvent, insertStarts } from '../queries/starts.ts'
import { AUTOMATIONS } from '../wakes.ts'

/** Events about our messages. Their cause is the cause of the message. */
const MESSAGE_EVENTS = ['message.status', 'message.failed']

/** Reactions are not messages that automations answer. */
const isReaction = ({ name, data }: PendingEvent): boolean =>
  name === 'message.received' && (data as { type: string }).type === 'reaction'

const heardEvent = ({
  workspaceId,
  id,
  name,
  contactId,
  data,
  imported,
  causes,
  createdAt,
}: PendingEvent): HeardEvent => ({
  workspaceId,
  id,
  name,
  contactId: contactId ?? contactIn(data),
  imported: imported === true,
  causes: causes ?? null,
  messageId: MESSAGE_EVENTS.includes(name) ? (data as { messageId: string }).messageId : null,
  createdAt,
})

/** Returns the contact that an event names, for events whose log entry has none. */
function contactIn(data: unknown): string | null {
  const { contactId, contact } = data as { contactId?: unknown; contact?: { id?: unknown } | null }
  const id = contactId ?? contact?.id
  return typeof id === 'string' ? id : null
}

/**
 * Inserts the starts for the events that automations listen to. Runs no statement if there are none, and
 * sends the statement in the round trip of the commit.
 */
export const automationFollower =
  ({ clock, listeners }: { clock: Clock; listeners: Pick<Listeners, 'mayListen'> }) =>
  (unit: Unit): void => {
    const events = unit.outbox.filter(
      (event) =>
        !event.madeUp &&
        event.name !== SCREEN_CHANGED &&
        !isReaction(event) &&
        listeners.mayListen(event.workspaceId, event.name),
    )
    if (events.length > 0) beforeCommit(unit, start(unit, events.map(heardEvent), clock.now()))
  }

async function start(unit: Unit, events: HeardEvent[], now: Date): Promise<void> {
  if (await insertStarts(unit, events, now)) unit.wakes.add(AUTOMATIONS)
}
