import { useEffect, useSyncExternalStore } from 'react'
import { lazyComponent, onPrefetch } from './lazy.tsx'

export type Notice = {
  title: string
  description?: string
  kind?: 'good' | 'bad' | 'info'
  /** An action such as undo or a link to more. */
  action?: { label: string; run: () => void }
}

const List = lazyComponent(() => import('./toast-list.tsx').then((module) => module.ToastList))

/** Notices from before the list was drawn. */
const waiting: Notice[] = []
let isListNeeded = false
let show: ((notice: Notice) => void) | undefined
const listeners = new Set<() => void>()

/** Shows a notice for a moment and announces it to screen readers. Errors stay longer. */
export function notify(notice: Notice): void {
  waiting.push(notice)
  if (show) flush(show)
  else showList()
}

function flush(show: (notice: Notice) => void): void {
  for (const notice of waiting.splice(0)) show(notice)
}

function showList(): void {
  isListNeeded = true
  for (const listener of listeners) listener()
}

/** Gives the waiting notices to the list, and all notices from now on. */
export function connectList(take: (notice: Notice) => void): () => void {
  show = take
  flush(take)
  return () => {
    show = undefined
  }
}

/** The area of notices. It exists before the first notice, so that screen readers announce them. */
export function Toasts() {
  const isNeeded = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isListNeeded,
  )
  useEffect(() => onPrefetch(showList), [])
  return isNeeded && <List />
}
