/** Finds messages in the open chat, and goes from match to match. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../../api/cache.ts'
import { IconButton } from '../../../kit/button.tsx'
import { useDebounced } from '../../../kit/use-debounced.ts'
import { useStable } from '../../../kit/use-stable.ts'
import { findQuery, messagesQuery } from '../../queries.ts'
import { t } from './texts.ts'

type Props = {
  conversationId: string
  /** Rises with each request to find, to move the focus to the field. */
  request: number
  /** Shows a message in its place. */
  onHit: (id: string) => void
  onClose: () => void
}

const PAUSE_MS = 200

export function FindBar({ conversationId, request, onHit, onClose }: Props) {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const searched = useDebounced(text.trim(), PAUSE_MS)
  const query = useInfiniteQuery(findQuery(conversationId, searched))
  const { data, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const hits =
    searched === '' || isPlaceholderData ? [] : (data?.pages.flatMap((page) => page.messages) ?? [])
  const hit = hits[index]?.id
  const show = useStable(onHit)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request moves the focus
  useEffect(() => field.current?.select(), [request])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins at its newest match
  useEffect(() => setIndex(0), [searched])
  useEffect(() => {
    if (hit !== undefined) show(hit)
  }, [hit, show])
  useEffect(() => {
    // The next matches are shown without a pause.
    for (const neighbor of [hits[index + 1], hits[index - 1]])
      if (neighbor) void queryClient.prefetchInfiniteQuery(messagesQuery(conversationId, neighbor.id))
    if (index >= hits.length - 2 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })
  const move = (by: 1 | -1) => setIndex(Math.max(0, Math.min(hits.length - 1, index + by)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) move(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  const position = { position: index + 1, count: hits.length }
  const isSettled = searched !== '' && searched === text.trim() && !isPlaceholderData && !query.isPending
  return (
    <search className="flex shrink-0 items-center gap-1 border-b px-2 py-1.5">
      <input
        ref={field}
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the member asked to search
        autoFocus
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label={t('find.field')}
        placeholder={t('find.field')}
        className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-2.5 pointer-coarse:h-11"
      />
      <span role="status" className="shrink-0 px-1 text-sm text-ink-2 tabular-nums">
        {!isSettled
          ? ''
          : hits.length === 0
            ? t('find.none')
            : t(hasNextPage ? 'find.countMore' : 'find.count', position)}
      </span>
      <IconButton
        icon={ChevronUp}
        size="sm"
        label={t('find.older')}
        disabled={index >= hits.length - 1}
        onClick={() => move(1)}
      />
      <IconButton
        icon={ChevronDown}
        size="sm"
        label={t('find.newer')}
        disabled={index === 0 || hits.length === 0}
        onClick={() => move(-1)}
      />
      <IconButton icon={X} size="sm" label={t('find.close')} onClick={onClose} />
    </search>
  )
}
