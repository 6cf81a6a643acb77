/** The live stream of the dashboard: the log that it follows, and who may listen. */
import { EVENTS } from '../catalog.ts'
import type { Clock } from '../core/clock.ts'
import type { OpenDatabase } from '../database/database.ts'
import { type LiveHub, openLiveHub } from '../http/live/hub.ts'
import { liveStream } from '../http/live/stream.ts'
import { admitToStream, mayStayOnStream } from '../http/live/stream-rights.ts'
import { DASHBOARD_PATH } from '../http/routes.ts'
import { liveLog } from '../modules/webhooks/event-log/live-log.ts'
import type { Plugin } from './keyless-routes.ts'
import type { ServiceParts } from './server-parts.ts'
import type { OnFault } from './start-options.ts'

export const openLive = (database: OpenDatabase, clock: Clock, onFault: OnFault): LiveHub =>
  openLiveHub({
    log: liveLog(database.query, EVENTS),
    clock,
    onError: (error) => onFault('live', error),
  })

export const streamPlugin = (parts: ServiceParts): Plugin =>
  liveStream({
    url: `${DASHBOARD_PATH}/stream`,
    hub: parts.live,
    clock: parts.clock,
    admit: (request, reply) => admitToStream(parts, request, reply),
    mayStay: (request, workspaceId) => mayStayOnStream(parts, request, workspaceId),
    build: () => parts.pages.build() ?? null,
    onError: (error) => parts.log.error({ err: error }, 'a stream could not be served'),
  })
