import { useEffect, useSyncExternalStore } from 'react'
import { later, whenAhead } from './later.tsx'

export type Notice = {
  title: string
  description?: string
  kind?: 'good' | 'bad' | 'info'
  /** A way back, or on. */
  action?: { label: string; run: () => void }
}

const List = later(() => import('./toast-list.tsx').then((one) => one.ToastList))

/** What is said before the list is there. */
const waiting: Notice[] = []
let isWanted = false
let show: ((notice: Notice) => void) | undefined
const listeners = new Set<() => void>()

/** Says what has happened, for a moment; announced to screen readers. What is wrong stays longer. */
export function notify(notice: Notice): void {
  waiting.push(notice)
  if (show) flush(show)
  else want()
}

function flush(show: (notice: Notice) => void): void {
  for (const notice of waiting.splice(0)) show(notice)
}

function want(): void {
  isWanted = true
  for (const listener of listeners) listener()
}

/** The list takes what has waited, and from here on everything. */
export function listDrawn(take: (notice: Notice) => void): () => void {
  show = take
  flush(take)
  return () => {
    show = undefined
  }
}

/** Where notices are shown. It is there before the first, so that screen readers hear of it. */
export function Toasts() {
  const wanted = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isWanted,
  )
  useEffect(() => whenAhead(want), [])
  return wanted && <List />
}
