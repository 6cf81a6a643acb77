/** Starts runs of the automations that listen to what a transaction announces, in that transaction. */
import type { Clock } from '../../../core/clock.ts'
import { beforeCommit, type Unit } from '../../../core/context.ts'
import { type PendingEvent, SCREEN_CHANGED } from '../../../core/event.ts'
import type { Listeners } from '../listeners.ts'
import { type HeardEvent, insertStarts } from '../queries/starts.ts'
import { AUTOMATIONS } from '../wakes.ts'

/** Events about a message of ours: what led to the message led to them. */
const OF_MESSAGES = ['message.status', 'message.failed']

/** A reaction is no message that anything answers. */
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
  messageId: OF_MESSAGES.includes(name) ? (data as { messageId: string }).messageId : null,
  createdAt,
})

/** Whom an event names that the log keeps of nobody. */
function contactIn(data: unknown): string | null {
  const { contactId, contact } = data as { contactId?: unknown; contact?: { id?: unknown } | null }
  const id = contactId ?? contact?.id
  return typeof id === 'string' ? id : null
}

/** Undefined, and nothing is asked of the database, where nobody listens. The statement goes out with the commit. */
export const automationFollower =
  ({ clock, listeners }: { clock: Clock; listeners: Pick<Listeners, 'mayListen'> }) =>
  (unit: Unit): void => {
    const heard = unit.outbox.filter(
      (event) =>
        !event.madeUp &&
        event.name !== SCREEN_CHANGED &&
        !isReaction(event) &&
        listeners.mayListen(event.workspaceId, event.name),
    )
    if (heard.length > 0) beforeCommit(unit, start(unit, heard.map(heardEvent), clock.now()))
  }

async function start(unit: Unit, events: HeardEvent[], now: Date): Promise<void> {
  if (await insertStarts(unit, events, now)) unit.wakes.add(AUTOMATIONS)
}
