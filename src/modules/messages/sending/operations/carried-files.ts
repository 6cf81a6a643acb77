/** Whether the files that a message carries by id can go where they stand (spec 4.2, docs/formats.md section 5). */
import { type Issue, invalid, type Refusal } from '../../../../core/errors.ts'
import { type CarriedFile, filesOfMessage } from '../../../../operator/message-payload/carried-files.ts'
import type { SendableMedia } from '../../../media/operations/find-for-send.ts'
import type { SendBody } from '../send-schema.ts'

/** The files of a free-form message. */
export const filesOf = ({ payload }: SendBody): CarriedFile[] =>
  payload === undefined || payload.type === 'template' ? [] : filesOfMessage(payload, 'payload')

/** The refusal of files that we know and that cannot be sent so; an id that we do not know may be the operator's own. */
export function refuseFiles(
  files: CarriedFile[],
  known: ReadonlyMap<string, SendableMedia>,
  now: Date,
): Refusal | undefined {
  const issues = files.flatMap(({ path, kind, mediaId }): Issue[] => {
    const media = known.get(mediaId)
    if (media === undefined) return []
    if (media.kind !== kind)
      return [{ path, message: `is a file of type ${media.mimeType}, which is sent as ${media.kind}` }]
    if (media.expiresAt <= now)
      return [{ path, message: 'is a file that is no longer kept; upload it again' }]
    return []
  })
  return issues.length > 0 ? invalid(issues) : undefined
}
