/** Makes an element draggable by mouse, and by finger. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { untilLoaded } from './lazy.tsx'

type Options = Parameters<typeof draggable>[0]

/** Only devices with a touch screen load the drag by finger. */
function dragByTouch({ element, dragHandle, onGenerateDragPreview }: Options): () => void {
  if (!matchMedia('(any-pointer: coarse)').matches) return () => {}
  let isEnded = false
  let end: (() => void) | undefined
  const start = async () => {
    const { dragByTouch } = await untilLoaded(() => import('./touch-drag.ts'))
    const hasCopy = onGenerateDragPreview === undefined
    if (!isEnded) end = dragByTouch(element, { handle: dragHandle, hasCopy })
  }
  // Without it, the menu still moves the element.
  start().catch(() => {})
  return () => {
    isEnded = true
    end?.()
  }
}

/** Returns a function that ends it. An element without its own preview follows the finger as a copy. */
export const makeDraggable = (options: Options): (() => void) =>
  combine(draggable(options), dragByTouch(options))
