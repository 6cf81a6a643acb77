/** Shows the pictures and videos of a post one at a time: by swiping, arrows, and keys. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'
import type { Media } from './media.ts'
import { MediaFile } from './media-file.tsx'
import { OVER_PICTURE } from './over-picture.ts'

const isReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
const directionOf = (): 1 | -1 => (document.dir === 'rtl' ? -1 : 1)

/** Follows the shown file of a strip that scrolls sideways. */
function useStrip(count: number) {
  const strip = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState(0)
  /** The file that the strip scrolls to; the files on the way are not announced. */
  const goal = useRef<number>(undefined)
  const place = Math.min(index, count - 1)
  const go = (next: number) => {
    if (next < 0 || next >= count || !strip.current) return
    goal.current = next
    setIndex(next)
    strip.current.scrollTo({
      left: directionOf() * next * strip.current.clientWidth,
      behavior: isReduced() ? 'instant' : 'smooth',
    })
  }
  const onScroll = () => {
    const { scrollLeft, clientWidth } = strip.current!
    const shown = Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth))
    if (goal.current === undefined) setIndex(shown)
    else if (shown === goal.current) goal.current = undefined
  }
  const onPointerDown = () => {
    goal.current = undefined
  }
  return { place, go, events: { ref: strip, onScroll, onPointerDown } }
}

const ARROWS = [
  { by: -1, icon: ChevronLeft, className: 'start-1', label: 'carousel.previous' },
  { by: 1, icon: ChevronRight, className: 'end-1', label: 'carousel.next' },
] as const

type Props = {
  media: readonly Media[]
  /** The post, for screen readers. */
  label: string
  /** Small: in a list, where a finger swipes and the arrows appear under the pointer. */
  isSmall?: boolean
  isPlayable?: boolean
  /** Opens the post. */
  onOpen?: (() => void) | undefined
  /** Receives the width divided by the height of a file. */
  onRatio?: (src: string, ratio: number) => void
}

export function Carousel({ media, label, isSmall, isPlayable, onOpen, onRatio }: Props) {
  const count = media.length
  const { place, go, events } = useStrip(count)
  // A file is loaded when the one before it is shown.
  const [reached, setReached] = useState(1)
  if (place + 1 > reached) setReached(place + 1)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    // In a video, the arrow keys seek.
    if ((event.target as HTMLElement).closest('video')) return
    const steps: Record<string, number> = {
      ArrowRight: place + directionOf(),
      ArrowLeft: place - directionOf(),
      Home: 0,
      End: count - 1,
    }
    const next = steps[event.key]
    if (next !== undefined) {
      event.preventDefault()
      go(next)
    } else if (event.key === 'Enter' && onOpen && event.target === event.currentTarget) onOpen()
  }
  const position = t('carousel.place', { at: place + 1, count })
  return (
    <div className="group/carousel relative size-full overflow-hidden bg-surface-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        {...events}
        role="group"
        aria-roledescription={t('carousel')}
        aria-label={t('carousel.label', { label, position })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onOpen}
        className={classes(
          'flex size-full snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-2',
          onOpen && 'cursor-pointer',
        )}
      >
        {media.map((file, i) => (
          <div key={file.src} aria-hidden={i !== place} className="relative size-full shrink-0 snap-center">
            {i <= reached && (
              <MediaFile media={file} isPlayable={isPlayable && i === place} onRatio={onRatio} />
            )}
          </div>
        ))}
      </div>
      {ARROWS.map(
        ({ by, icon: Icon, className, label: name }) =>
          place + by >= 0 &&
          place + by < count && (
            <button
              key={by}
              type="button"
              aria-label={t(name, { label })}
              onClick={() => go(place + by)}
              className={classes(
                'absolute top-1/2 flex -translate-y-1/2 items-center justify-center rounded-full hover:bg-[oklch(0.15_0_0/0.9)]',
                OVER_PICTURE,
                className,
                isSmall
                  ? 'size-6 opacity-0 group-focus-within/carousel:opacity-100 group-hover/carousel:opacity-100 pointer-coarse:hidden'
                  : 'size-8 pointer-coarse:size-11',
              )}
            >
              <Icon aria-hidden size={isSmall ? 14 : 18} className="rtl:-scale-x-100" />
            </button>
          ),
      )}
      <span
        aria-hidden
        className={classes(
          'pointer-events-none absolute rounded-full px-1.5 text-xs tabular-nums',
          OVER_PICTURE,
          isSmall ? 'end-1 bottom-1' : 'end-2 top-2 py-0.5',
        )}
      >
        {place + 1}/{count}
      </span>
      <span className="sr-only" aria-live="polite">
        {position}
      </span>
    </div>
  )
}
