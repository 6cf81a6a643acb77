/** Creates links to files: to the store itself if clients can reach it, else to our own address. */
import type { Clock } from '../core/clock.ts'
import { type Database, type Outside, platformContext } from '../core/context.ts'
import { contentDisposition } from '../core/values/content-disposition.ts'
import type { FileTokens } from '../http/auth/file-tokens.ts'
import { type FileDownloadOptions, filePath } from '../http/files/file-downloads.ts'
import type { MessageFileOptions } from '../http/files/message-files.ts'
import type { MediaStore } from '../media-store/port.ts'
import { findStoredFile } from '../modules/messaging/media/operations/find-files.ts'
import {
  findMessageFile,
  refuseUnknownMessage,
} from '../modules/messaging/messages/reading/operations/message-media.ts'
import { findSampleFile } from '../modules/messaging/templates/operations/keep-sample.ts'
import type { Directory } from '../modules/platform/workspaces/directory.ts'
import { findFileAddress } from '../modules/selling/social/chats/operations/find-file.ts'
import { findPostFile } from '../modules/selling/social/posts/operations/find-post-file.ts'
import { findShownFile, readNetworkFile } from '../modules/selling/social/posts/operations/find-shown-file.ts'
import { kindOfMediaType } from '../operator/media-types.ts'

/** A customer may send any file: types that browsers could run are served as bytes. */
const servedType = (mimeType: string): string => {
  if (mimeType === 'text/plain') return 'text/plain; charset=utf-8'
  // Only reels have this type: the chat network does not accept it.
  if (mimeType === 'video/quicktime') return mimeType
  return kindOfMediaType(mimeType) === undefined ? 'application/octet-stream' : mimeType
}

/** The largest file that a direct message of the photo network may have: a video. */
const MAX_DIRECT_FILE_BYTES = 25 * 1024 * 1024
/** The largest video of a post at the network. */
const MAX_POST_VIDEO_BYTES = 1024 * 1024 * 1024

const SHOWN = /^(image|video|audio)\/|^application\/pdf$|^text\/plain\b/

/** Pictures, audio, video, PDF, and plain text open in the browser; other files are downloaded. */
const disposition = (filename: string, contentType: string): string =>
  contentDisposition(filename, SHOWN.test(contentType))

export const fileLinker =
  (parts: { store: MediaStore; tokens: FileTokens; siteUrl: string }): Outside['linkToFile'] =>
  async (file, { expiresAt, seconds }) => {
    const { workspaceId, mediaId, key, filename } = file
    const contentType = servedType(file.mimeType)
    if (parts.store.link)
      return parts.store.link({ key, contentType, disposition: disposition(filename, contentType), seconds })
    return (
      parts.siteUrl + filePath(parts.tokens.sign({ workspaceId, mediaId, expiresAt }, filename), filename)
    )
  }

/** Provides the parts for the route of our own links. */
export const fileServing = (parts: {
  database: Database
  directory: Directory
  clock: Clock
  store: MediaStore
  tokens: FileTokens
  onError(error: unknown): void
}): FileDownloadOptions => ({
  tokens: parts.tokens,
  directory: parts.directory,
  clock: parts.clock,
  disposition,
  find: async (workspaceId, mediaId) => {
    const file = await parts.database.tenantIds(
      [workspaceId],
      async (unit) =>
        (await findStoredFile(unit, workspaceId, mediaId)) ??
        (await findPostFile(unit, workspaceId, mediaId)),
    )
    return file && { ...file, contentType: servedType(file.mimeType) }
  },
  open: (key, range) => parts.store.open(key, range),
  onError: parts.onError,
})

/** Provides the parts for the route of a message's file, for callers that `admit` accepts. */
export const messageFileServing = (parts: {
  database: Database
  clock: Clock
  store: MediaStore
  admit: MessageFileOptions['admit']
  outside: Pick<Outside, 'streamFile' | 'socialAccount' | 'socialNetwork'>
  onError(error: unknown): void
}): MessageFileOptions => ({
  admit: parts.admit,
  disposition,
  find: async (workspace, id) => {
    const file = await parts.database.tenant(workspace, async (unit) => {
      const ctx = platformContext(unit, workspace, parts.clock)
      return (
        (await findShownFile(ctx, id)) ??
        (await findMessageFile(ctx, id)) ??
        (await findSampleFile(ctx, id)) ??
        refuseUnknownMessage()
      )
    })
    return { ...file, contentType: servedType(file.mimeType) }
  },
  passOn: async (workspace, id, range) => {
    const { outside, clock } = parts
    const limits = { maxBytes: MAX_DIRECT_FILE_BYTES, range }
    const url = await parts.database.tenant(workspace, (unit) =>
      findFileAddress(platformContext(unit, workspace, clock), id),
    )
    if (url !== undefined) return outside.streamFile(url, limits)
    const shown = await readNetworkFile(outside, clock, workspace.id, id)
    const maxBytes = shown?.isVideo ? MAX_POST_VIDEO_BYTES : limits.maxBytes
    const file = shown && (await outside.streamFile(shown.url, { range, maxBytes }))
    return file && { ...file, isPublic: true }
  },
  open: (key, range) => parts.store.open(key, range),
  onError: parts.onError,
})
