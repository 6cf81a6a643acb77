import { EVENTS } from '../../src/catalog.ts'
import type { Clock } from '../../src/core/clock.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/database.ts'
import { eventRecorder } from '../../src/modules/platform/webhooks/event-log/record-events.ts'

/** Opens a database as the service does. `clock` dates the events; without a clock, events are dropped. */
export const openAsService = (url: string, clock?: Clock): OpenDatabase =>
  openDatabase({
    url,
    connections: 8,
    onError: () => {},
    recordEvents: clock ? eventRecorder(clock, EVENTS) : async () => {},
    onCommit: () => {},
  })
