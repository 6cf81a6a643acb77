/**
 * Shows the rows of a chat. Only rows near the visible part are drawn, and the visible rows keep their place
 * when rows are added above or below.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { formatDay } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import type { Entry } from './thread-entries.ts'

/** The distance to the end that counts as being at the end. */
const NEAR_PX = 120
/** The distance to the end of the loaded part at which more is loaded. */
const AHEAD_PX = 800
/** The space for the line about older messages. */
const HEAD_PX = 48

type Props = {
  label: string
  entries: readonly Entry[]
  /** The entry to open at; undefined to open at the end. */
  target: string | undefined
  firstUnread: string | undefined
  /** The number of messages being sent. Sending a message scrolls to the end. */
  sending: number
  older: (() => void) | undefined
  newer: (() => void) | undefined
  /** Goes to the end of the chat, if the end is not loaded. */
  onEnd: () => void
  /** Draws an entry; `show` scrolls to another entry. */
  children: (entry: Entry, show: (id: string) => void) => ReactNode
}

export function ThreadLog(props: Props) {
  const { label, entries, target, firstUnread, sending, older, newer, onEnd, children } = props
  const pane = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 72,
    getItemKey: useCallback((index: number) => entries[index]!.id, [entries]),
    anchorTo: 'end',
    followOnAppend: newer === undefined,
    scrollEndThreshold: NEAR_PX,
    paddingStart: HEAD_PX,
    paddingEnd: 12,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the opening place is decided at the first drawing
  useLayoutEffect(() => {
    const index = target === undefined ? -1 : entries.findIndex(({ id }) => id === target)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'center' })
    else virtual.scrollToEnd()
  }, [])

  const readMore = () => {
    const element = pane.current
    if (!element) return
    if (element.scrollTop < AHEAD_PX) older?.()
    if (element.scrollHeight - element.scrollTop - element.clientHeight < AHEAD_PX) newer?.()
  }
  useEffect(readMore)
  const { isNear, below, onScroll } = useBelow(pane, entries)
  const isEndInSight = isNear && newer === undefined
  const toEnd = () => (newer ? onEnd() : virtual.scrollToEnd())
  const latest = useRef(entries)
  latest.current = entries
  const show = useCallback(
    (id: string) => {
      const index = latest.current.findIndex((entry) => entry.id === id)
      if (index >= 0) virtual.scrollToIndex(index, { align: 'center' })
    },
    [virtual],
  )
  const previousSending = useRef(sending)
  useLayoutEffect(() => {
    if (sending > previousSending.current) toEnd()
    previousSending.current = sending
  })
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={pane}
        role="log"
        aria-label={label}
        // Rows drawn again by scrolling back are not announced as new.
        aria-live={isEndInSight ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keys
        tabIndex={0}
        onScroll={() => {
          onScroll()
          readMore()
        }}
        className="pane flex min-h-0 flex-1 flex-col [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="flex-1" />
        <div className="relative w-full shrink-0" style={{ height: virtual.getTotalSize() }}>
          <p className="absolute inset-x-0 top-4 text-center text-xs text-ink-3">
            {t(older ? 'thread.older' : 'thread.start')}
          </p>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index]!
            const before = entries[index - 1]
            return (
              <div
                key={key}
                data-index={index}
                ref={virtual.measureElement}
                className="absolute inset-x-0 top-0 px-4 pb-1.5"
                style={{ transform: `translateY(${start}px)` }}
              >
                {formatDay(entry.at) !== (before && formatDay(before.at)) && (
                  <p className="py-2 text-center text-xs font-medium text-ink-3">{formatDay(entry.at)}</p>
                )}
                {entry.id === firstUnread && <NewLine />}
                {children(entry, show)}
              </div>
            )
          })}
        </div>
      </div>
      {!isEndInSight && (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button icon={ArrowDown} size="sm" className="rounded-full shadow-pop" onClick={toEnd}>
            {/* Rows that are only loaded below are not new. */}
            {below > 0 && !newer ? t('thread.below', { count: below }) : t('thread.toEnd')}
          </Button>
        </div>
      )}
    </div>
  )
}

const NewLine = () => (
  <p data-first-unread className="flex items-center gap-3 py-1 text-xs font-medium text-accent">
    <span className="h-px flex-1 bg-accent/40" />
    {t('thread.new')}
    <span className="h-px flex-1 bg-accent/40" />
  </p>
)

/** Returns whether the end is visible, and how many entries were added below since it was. */
function useBelow(pane: { current: HTMLElement | null }, entries: readonly Entry[]) {
  const [isNear, setNear] = useState(true)
  const last = entries.at(-1)?.at ?? ''
  const [seenUntil, setSeenUntil] = useState(last)
  const onScroll = () => {
    const element = pane.current
    if (element) setNear(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX)
  }
  useEffect(() => {
    if (isNear) setSeenUntil(last)
  }, [isNear, last])
  return { isNear, below: entries.filter(({ at }) => at > seenUntil).length, onScroll }
}
