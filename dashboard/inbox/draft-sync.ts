/**
 * Syncs drafts with the server: saves a draft one second after the last keystroke, and reads drafts again
 * when another device saves one.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChange, queryClient } from '../api/cache.ts'
import { isPassing } from '../api/errors.ts'
import { callDashboard } from '../api/request.ts'
import { isAccountUnchanged } from '../api/shown-account.ts'
import {
  chatOfStored,
  chatsWithDrafts,
  draftOf,
  isOfOtherTab,
  onWritten,
  storeDraft,
  storedDraftOf,
} from './draft.ts'
import { mergeDraft } from './draft-merge.ts'
import { isNothing, isSameText } from './draft-shape.ts'

const SAVE_AFTER_MS = 1_000
/** A draft is saved this often even if its writer never pauses. */
const SAVE_AT_LEAST_MS = 5_000
const TRY_AGAIN_MS = 5_000

type Pending = { timer: ReturnType<typeof setTimeout>; sinceMs: number }
const pending = new Map<string, Pending>()
const saving = new Set<string>()
/**
 * The time at which a draft was last known to equal the server's version; responses to earlier requests are
 * outdated.
 */
const settledAt = new Map<string, number>()

function saveIn(conversationId: string, workspace: string, ms: number): void {
  const before = pending.get(conversationId)
  clearTimeout(before?.timer)
  const sinceMs = before?.sinceMs ?? performance.now()
  const longestMs = Math.max(0, sinceMs + SAVE_AT_LEAST_MS - performance.now())
  const timer = setTimeout(() => void save(conversationId, workspace), Math.min(ms, longestMs))
  pending.set(conversationId, { timer, sinceMs })
}

async function save(conversationId: string, workspace: string): Promise<void> {
  clearTimeout(pending.get(conversationId)?.timer)
  pending.delete(conversationId)
  const draft = draftOf(conversationId)
  if (!draft.isDirty || !isAccountUnchanged()) return
  if (saving.has(conversationId)) return saveIn(conversationId, workspace, SAVE_AFTER_MS)
  saving.add(conversationId)
  const { text, mode, files = [] } = isNothing(draft) ? { ...draft, text: '' } : draft
  try {
    const { updatedAt } = await callDashboard('PUT /drafts/{id}', {
      workspace,
      params: { id: conversationId },
      body: { text, mode, files: [...files] },
    })
    const now = storedDraftOf(conversationId)
    const isAsSaved = isSameText(now, draft)
    settledAt.set(conversationId, performance.now())
    storeDraft(conversationId, {
      ...now,
      savedAt: updatedAt ?? undefined,
      isDirty: isAsSaved ? undefined : true,
    })
    if (!isAsSaved) saveIn(conversationId, workspace, SAVE_AFTER_MS)
  } catch (error) {
    // A draft that the server rejects, such as a text that is too long, is kept here and sent again with the
    // next change.
    if (isPassing(error)) {
      pending.delete(conversationId)
      saveIn(conversationId, workspace, TRY_AGAIN_MS)
    }
  } finally {
    saving.delete(conversationId)
  }
}

const draftsQuery = (workspace: string) => ({
  queryKey: ['myDraft', 'list', workspace],
  queryFn: async () => {
    const askedAt = performance.now()
    const { drafts } = await callDashboard('GET /drafts', { workspace })
    return { drafts, askedAt }
  },
})
type DraftList = Awaited<ReturnType<ReturnType<typeof draftsQuery>['queryFn']>>
/** The number of drafts in one list of the server. Older drafts are not known here. */
const LISTED_MAX = 100

function applyDrafts({ drafts, askedAt }: DraftList, workspace: string): void {
  const byChat = new Map(drafts.map((draft) => [draft.conversationId, draft]))
  const oldest = drafts.length < LISTED_MAX ? '' : drafts.at(-1)!.updatedAt
  for (const id of new Set([...byChat.keys(), ...chatsWithDrafts()])) {
    const draft = draftOf(id)
    if (saving.has(id) || (settledAt.get(id) ?? Number.NEGATIVE_INFINITY) >= askedAt) continue
    if (!byChat.has(id) && (draft.workspace !== workspace || (draft.savedAt ?? '') <= oldest)) continue
    if (draft.isDirty && isOfOtherTab(draft)) continue
    const merged = mergeDraft(draft, byChat.get(id) ?? null)
    if (merged) storeDraft(id, { ...merged, workspace })
  }
}

// Another tab of this browser has stored a draft, and may have saved it.
addEventListener('storage', ({ key }) => {
  const id = chatOfStored(key)
  if (id) settledAt.set(id, performance.now())
})

let reading: ReturnType<typeof setTimeout> | undefined

/**
 * Reads the server's drafts in the next pause of the writer, because reading between two keystrokes slows
 * typing on slow phones.
 */
function scheduleRead(workspace: string): void {
  clearTimeout(reading)
  if (pending.size === 0) void queryClient.invalidateQueries({ queryKey: draftsQuery(workspace).queryKey })
  else reading = setTimeout(() => scheduleRead(workspace), SAVE_AFTER_MS)
}

/** Keeps a member's drafts the same on all of their devices. */
export function useDraftSync(workspace: string, me: string, mayWrite: boolean): void {
  const { data } = useQuery({ ...draftsQuery(workspace), enabled: mayWrite })
  useEffect(() => {
    if (data) applyDrafts(data, workspace)
  }, [data, workspace])
  useEffect(() => {
    if (!mayWrite) return
    const flush = () => {
      for (const id of chatsWithDrafts()) {
        const draft = draftOf(id)
        if (draft.isDirty && draft.workspace === workspace) void save(id, workspace)
      }
    }
    const ends = [
      onWritten((id) => {
        const draft = draftOf(id)
        if (draft.workspace === undefined) storeDraft(id, { ...draft, workspace })
        saveIn(id, workspace, isNothing(draft) ? 0 : SAVE_AFTER_MS)
      }),
      onChange('draft', (ids) => {
        if (ids === 'many' || ids.includes(me)) scheduleRead(workspace)
      }),
    ]
    flush()
    addEventListener('online', flush)
    // A hidden tab may be about to close. When this tab is visible again, the tab that wrote the draft may be
    // closed.
    document.addEventListener('visibilitychange', flush)
    return () => {
      for (const end of ends) end()
      removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [workspace, me, mayWrite])
}
