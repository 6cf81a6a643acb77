/**
 * Checks whether the files in a message can be sent in their places (spec 4.2, docs/formats.md section 5).
 */
import { type Issue, invalid, invalidReference, type Refusal } from '../../../../../core/errors.ts'
import { isObject } from '../../../../../core/values/storable.ts'
import { isMediaKind } from '../../../../../operator/media-types.ts'
import { type CarriedFile, filesOfMessage } from '../../../../../operator/message-payload/carried-files.ts'
import type { SendableMedia } from '../../../media/operations/find-for-send.ts'
import type { SendBody } from '../send-schema.ts'

/** Returns the files of a free-form message. */
export const filesOf = ({ payload }: SendBody): CarriedFile[] =>
  payload === undefined || payload.type === 'template' ? [] : filesOfMessage(payload, 'payload')

/** Files by their media ids in the request. */
export type KnownFiles = ReadonlyMap<string, SendableMedia>

const OTHER_ACCOUNT =
  "Must be a file of the sending number's business account. Upload it again with that phoneNumberId."

/** Returns the refusal of unknown files, and of files that the account cannot send in their places. */
export function refuseFiles(
  files: CarriedFile[],
  knownFiles: KnownFiles,
  { accountId, now }: { accountId: string; now: Date },
): Refusal | undefined {
  const unknown = files.filter(({ mediaId }) => !knownFiles.has(mediaId))
  if (unknown.length > 0) return refuseUnknown(unknown.map(({ path }) => path))
  const issues = files.flatMap(({ path, kind, mediaId }): Issue[] => {
    const media = knownFiles.get(mediaId)!
    if (media.kind !== kind)
      return [{ path, message: `Must be sent as ${media.kind}: the file is ${media.mimeType}.` }]
    if (media.accountId !== undefined && media.accountId !== accountId)
      return [{ path, message: OTHER_ACCOUNT }]
    if (media.expiresAt <= now) return [{ path, message: 'No longer stored. Upload it again.' }]
    return []
  })
  return issues.length > 0 ? invalid(issues) : undefined
}

/** Returns a refusal that does not reveal whether another workspace has the id (spec 4.1.3). */
function refuseUnknown(paths: string[]): Refusal {
  const message = 'Media not found. Upload the file with POST /media and use the id that it returns.'
  return invalidReference(paths.map((path) => ({ path, message })))
}

/** Replaces our ids of files in a payload by the operator's. `knownFiles` must have all of them. */
export function withOperatorIds<Payload>(payload: Payload, knownFiles: KnownFiles): Payload {
  const hasOwnIds = [...knownFiles].some(([mediaId, { operatorId }]) => mediaId !== operatorId)
  return hasOwnIds ? (replaced(payload, knownFiles) as Payload) : payload
}

function replaced(value: unknown, knownFiles: KnownFiles): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, knownFiles))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const media = isMediaKind(key) && isObject(item) ? knownFiles.get(String(item.id)) : undefined
      return [key, media ? { ...(item as object), id: media.operatorId } : replaced(item, knownFiles)]
    }),
  )
}
