import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { changedKeys } from './changed-keys.ts'
import { lazyComponent } from './lazy.tsx'

const DELAY_MS = 500
/** For this long after a tooltip closes, the next opens immediately. */
const AFTER_MS = 400
/** Long enough to move the pointer onto the tooltip. */
const LEAVE_MS = 80

export type Tip = { anchor: Element; label: ReactNode; keys: string | undefined }

let tip: Tip | undefined
let hiddenAt = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(next: Tip | undefined): void {
  clearTimeout(timer)
  if (tip && !next) hiddenAt = performance.now()
  if (tip === next) return
  tip = next
  for (const listener of listeners) listener()
}

function showAfter(next: Tip, delay: number): void {
  clearTimeout(timer)
  if (tip?.anchor === next.anchor) return
  const isNext = tip !== undefined || performance.now() - hiddenAt < AFTER_MS
  // The control may have been drawn again since.
  timer = setTimeout(() => next.anchor.isConnected && set(next), isNext ? 0 : delay)
}

export const hideTip = (): void => set(undefined)
export const keepTip = (): void => clearTimeout(timer)
export function leaveTip(): void {
  clearTimeout(timer)
  timer = setTimeout(hideTip, LEAVE_MS)
}

type Props = { label: ReactNode; keys?: string | undefined; children: ReactElement<Record<string, unknown>> }
type Handler = (event: SyntheticEvent<Element, PointerEvent>) => void

/** Describes a control's action. It never contains information that is not available elsewhere. */
export function Tooltip({ label, keys, children }: Props) {
  const anchor = useRef<Element>(undefined)
  useEffect(
    () => () => {
      if (anchor.current && tip?.anchor === anchor.current) hideTip()
    },
    [],
  )
  const chain =
    (name: string, handle: Handler): Handler =>
    (event) => {
      ;(children.props[name] as Handler | undefined)?.(event)
      handle(event)
    }
  const tipOf = (event: SyntheticEvent): Tip => {
    anchor.current = event.currentTarget
    return { anchor: event.currentTarget, label, keys: keys && changedKeys(keys) }
  }
  return cloneElement(children, {
    onPointerEnter: chain('onPointerEnter', (event) => {
      if (event.nativeEvent.pointerType !== 'touch') showAfter(tipOf(event), DELAY_MS)
    }),
    onPointerLeave: chain('onPointerLeave', leaveTip),
    onPointerDown: chain('onPointerDown', hideTip),
    onFocus: chain('onFocus', (event) => {
      if (event.currentTarget.matches(':focus-visible')) showAfter(tipOf(event), 0)
    }),
    onBlur: chain('onBlur', hideTip),
  })
}

const Popup = lazyComponent(() => import('./tooltip-popup.tsx').then((module) => module.TooltipPopup))

/** Shows tooltips, with one instance for the whole page. */
export function Tips() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => tip,
  )
  const last = useRef(shown)
  last.current = shown ?? last.current
  return last.current && <Popup tip={last.current} open={shown !== undefined} />
}
