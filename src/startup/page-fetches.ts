/**
 * The routes that dashboard pages fetch by address: the live stream over the event log, and files of
 * messages.
 */
import { messageFileServing } from '../adapters/media-links.ts'
import { EVENTS } from '../catalog.ts'
import type { Clock } from '../core/clock.ts'
import type { OpenDatabase } from '../database/database.ts'
import { admitByAddress } from '../http/auth/address-session.ts'
import { messageFiles } from '../http/files/message-files.ts'
import { type LiveHub, openLiveHub } from '../http/live/hub.ts'
import { liveStream } from '../http/live/stream.ts'
import { mayStayOnStream } from '../http/live/stream-rights.ts'
import { DASHBOARD_PATH } from '../http/wire/routes.ts'
import { liveLog } from '../modules/platform/webhooks/event-log/live-log.ts'
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
    admit: async (request, reply) => {
      const { workspace, memberId } = await admitByAddress(parts, request, reply)
      return { workspaceId: workspace.id, memberId }
    },
    mayStay: (request, workspaceId) => mayStayOnStream(parts, request, workspaceId),
    build: () => parts.pages.build() ?? null,
    onError: (error) => parts.log.error({ err: error }, 'serving an event stream failed'),
  })

/** Serves files of messages to the pages that show them. */
export const messageFilesPlugin = (parts: ServiceParts): Plugin =>
  messageFiles(
    messageFileServing({
      database: parts.database,
      clock: parts.clock,
      store: parts.outside.mediaStore,
      outside: parts.outside,
      admit: (request, reply) => admitByAddress(parts, request, reply),
      onError: (error) => parts.log.error({ err: error }, 'serving a file failed'),
    }),
  )
