/** Makes an element draggable by mouse, and by finger. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { dragByTouch } from './touch-drag.ts'

type Options = Parameters<typeof draggable>[0]

/** Returns a function that ends it. An element without its own preview follows the finger as a copy. */
export const makeDraggable = (options: Options): (() => void) =>
  combine(
    draggable(options),
    dragByTouch(options.element, {
      handle: options.dragHandle,
      hasCopy: options.onGenerateDragPreview === undefined,
    }),
  )
