/** The files that a message carries by id, and whether they can go where they stand (spec 4.2, FORMATS section 5). */
import { type Issue, invalid, type Refusal } from '../../../core/errors.ts'
import { isMediaKind } from '../../../operator/media-types.ts'
import type { SendableMedia } from '../../media/operations/find-for-send.ts'
import type { SendBody } from '../send-schema.ts'

/** A file by the operator's id: where it stands in the request, and as what it is shown. */
export type CarriedFile = { path: string; kind: string; mediaId: string }

/** A header, a template's parameter, or a message itself: something that names its kind and holds the file under it. */
type Holder = { type: string; [kind: string]: unknown }

function fileIn(holder: Holder | undefined, path: string): CarriedFile[] {
  if (holder === undefined || !isMediaKind(holder.type.toLowerCase())) return []
  const kind = holder.type.toLowerCase()
  const { id } = (holder[kind] ?? {}) as { id?: string }
  return typeof id === 'string' ? [{ path: `${path}.${kind}.id`, kind, mediaId: id }] : []
}

type Component = { type?: unknown; parameters?: unknown; cards?: unknown }

/** The files in the headers of a template's components. */
export function filesOfComponents(components: readonly Component[], path: string): CarriedFile[] {
  return components.flatMap(({ type, parameters, cards }, i) => [
    ...(String(type).toLowerCase() === 'header' && Array.isArray(parameters)
      ? parameters.flatMap((parameter: Holder, p) => fileIn(parameter, `${path}[${i}].parameters[${p}]`))
      : []),
    ...(Array.isArray(cards)
      ? cards.flatMap(({ components: own = [] }: { components?: Component[] }, c) =>
          filesOfComponents(own, `${path}[${i}].cards[${c}].components`),
        )
      : []),
  ])
}

/** The files of a free-form message. */
export function filesOf({ payload }: SendBody): CarriedFile[] {
  if (payload === undefined) return []
  if (payload.type !== 'interactive') return fileIn(payload as Holder, 'payload')
  const { interactive } = payload
  const header = 'header' in interactive ? (interactive.header as Holder | undefined) : undefined
  const cards = interactive.type === 'carousel' ? interactive.action.cards : []
  return [
    ...fileIn(header, 'payload.interactive.header'),
    ...cards.flatMap((card, i) =>
      fileIn(card.header as Holder, `payload.interactive.action.cards[${i}].header`),
    ),
  ]
}

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
