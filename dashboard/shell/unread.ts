/**
 * Shows the number of unread chats in every tab's title and icon; one tab announces new messages while none
 * is visible. Visible tabs read the number and send it to the others. Only while none is visible does one of
 * them, by a Web Lock, read it.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ListedConversation } from '../../sdk/api.ts'
import { onChange } from '../api/cache.ts'
import { countsQuery } from '../api/counts.ts'
import { call } from '../api/request.ts'
import { announceMessage } from './announce.ts'

/** The delay from a change to the read, and between reads, while no tab is visible. */
const [SOON_MS, BETWEEN_MS] = [300, 5_000]
/** The time in which a visible tab must report itself. */
const ANSWER_MS = 500

type TabMessage = { unread: number } | { asked: true } | { seen: true }
type Watch = { workspace: string; memberId: string; onUnread: (unread: number) => void }

const isSeen = (): boolean => document.visibilityState === 'visible'

/** Returns the newest unread chat that is assigned to this member, or unassigned. */
async function newestUnread(memberId: string): Promise<ListedConversation | undefined> {
  const { conversations } = await call('GET /conversations', {
    query: { channel: 'all', unread: 'true', archived: 'false', snoozed: 'false', limit: 10 },
  })
  return conversations.find(({ assignedAgentId }) => assignedAgentId === null || assignedAgentId === memberId)
}

function watchUnread({ workspace, memberId, onUnread }: Watch) {
  const controller = new AbortController()
  const { signal } = controller
  const name = `parley-unread-${workspace}`
  const channel = new BroadcastChannel(name)
  const post = (message: TabMessage): void => channel.postMessage(message)
  let knownCount: number | undefined
  let seenAt = 0
  let lookedAt = 0
  let isHolding = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const updateCount = (unread: number): void => {
    knownCount = unread
    onUnread(unread)
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ('unread' in data) updateCount(data.unread)
    else if ('seen' in data) seenAt = Date.now()
    else if (isSeen()) post({ seen: true })
  }
  async function readCount(): Promise<void> {
    timer = undefined
    lookedAt = Date.now()
    post({ asked: true })
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    if (signal.aborted || isSeen() || seenAt >= lookedAt) return
    const { unread } = await call('GET /conversations/counts', { query: { channel: 'all' } })
    const isMore = knownCount !== undefined && unread > knownCount
    updateCount(unread)
    post({ unread })
    const newest = isMore ? await newestUnread(memberId) : undefined
    if (newest && !signal.aborted) announceMessage(newest, workspace)
  }
  const forget = onChange(
    'conversation',
    () => {
      if (!isHolding || isSeen()) return
      const waitMs = Math.max(SOON_MS, lookedAt + BETWEEN_MS - Date.now())
      timer ??= setTimeout(() => void readCount().catch(() => {}), waitMs)
    },
    { always: true },
  )
  navigator.locks
    ?.request(name, { signal }, () => {
      isHolding = true
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    .catch(() => {})
  return {
    /** Shares the number that this tab has read. */
    pass: (unread: number): void => {
      knownCount = unread
      post({ unread })
    },
    end: (): void => {
      controller.abort()
      clearTimeout(timer)
      forget()
      channel.close()
    },
  }
}

type WithBadge = { setAppBadge?: (count: number) => Promise<void> }

/** Shows a number on the icon of the installed app; 0 removes it. */
function showBadge(count: number): void {
  // Rejected where the app is not installed.
  void (navigator as WithBadge).setAppBadge?.(count)?.catch(() => {})
}

const ICON = 'M9 9h14a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-8l-5 5v-5H9a3 3 0 0 1-3-3v-6a3 3 0 0 1 3-3z'
const UNREAD_ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/><path d="${ICON}" fill="#fff"/><circle cx="25" cy="7" r="7" fill="#e03131"/></svg>`,
)}`

let plainIcon: string | undefined
function showIcon(isUnread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  plainIcon ??= link.href
  link.href = isUnread ? UNREAD_ICON : plainIcon
}

/** Sets the tab's title, and shows the unread number in its title and icon. */
export function useTabTitle(title: string, { workspace, memberId }: Omit<Watch, 'onUnread'>): void {
  const { data: counts } = useQuery(countsQuery)
  const [unread, setUnread] = useState(0)
  const watch = useRef<ReturnType<typeof watchUnread>>(undefined)
  useEffect(() => {
    watch.current = watchUnread({ workspace, memberId, onUnread: setUnread })
    return () => watch.current?.end()
  }, [workspace, memberId])
  useEffect(() => {
    if (!counts) return
    setUnread(counts.unread)
    watch.current?.pass(counts.unread)
  }, [counts])
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title
    showIcon(unread > 0)
    showBadge(unread)
  }, [title, unread])
}
