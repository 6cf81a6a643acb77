/** One event as the webhook goals send it. */
import { messageStatus } from '../../src/modules/messaging/messages/events.ts'

export const EVENT_NAME = messageStatus.name
export const EVENT_DATA = JSON.stringify(messageStatus.example)
