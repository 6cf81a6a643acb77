/**
 * Finds the files that a message refers to by the operator's id: its own, or in headers of buttons,
 * templates, and cards.
 */
import { isObject } from '../../core/values/storable.ts'
import { isMediaKind } from '../media-types.ts'

/** A file by the operator's id: its path in the request, and the kind that it is shown as. */
export type CarriedFile = { path: string; kind: string; mediaId: string }

/**
 * A header, a template's parameter, or a message: an object that names a kind and has the file under that
 * key.
 */
type Holder = { type: string; [kind: string]: unknown }

function fileIn(holder: Holder | undefined, path: string): CarriedFile[] {
  if (typeof holder?.type !== 'string' || !isMediaKind(holder.type.toLowerCase())) return []
  const kind = holder.type.toLowerCase()
  const { id } = (holder[kind] ?? {}) as { id?: string }
  return typeof id === 'string' ? [{ path: `${path}.${kind}.id`, kind, mediaId: id }] : []
}

type Component = { type?: unknown; parameters?: unknown; cards?: unknown }

/** Returns the files in the headers of a template's components. */
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

type Interactive = { header?: unknown; action?: unknown }

function filesOfInteractive({ header, action }: Interactive, path: string): CarriedFile[] {
  const cards = isObject(action) && Array.isArray(action.cards) ? action.cards : []
  return [
    ...fileIn(header as Holder | undefined, `${path}.header`),
    ...cards.flatMap((card: { header?: unknown }, i) =>
      fileIn(card.header as Holder | undefined, `${path}.action.cards[${i}].header`),
    ),
  ]
}

/** Returns the files of a message at `path` whose payload is one of `PAYLOADS`. */
export function filesOfMessage(message: Holder, path: string): CarriedFile[] {
  const content = message[message.type]
  if (message.type === 'interactive') return filesOfInteractive(content as Interactive, `${path}.interactive`)
  if (message.type !== 'template') return fileIn(message, path)
  const components = isObject(content) && Array.isArray(content.components) ? content.components : []
  return filesOfComponents(components, `${path}.template.components`)
}
