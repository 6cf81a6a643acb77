/** Drafts on the server: saved a second after the last letter, and read again when another device saved one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChange, queryClient } from '../api/cache.ts'
import { isPassing } from '../api/errors.ts'
import { callDashboard } from '../api/request.ts'
import { isStillTheirs } from '../api/signed-in.ts'
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
/** Whoever writes without a pause is saved all the same. */
const SAVE_AT_LEAST_MS = 5_000
const TRY_AGAIN_MS = 5_000

type Pending = { timer: ReturnType<typeof setTimeout>; sinceMs: number }
const pending = new Map<string, Pending>()
const saving = new Set<string>()
/** When a draft was last known to be as the server has it: what was asked for before that is older. */
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
  if (!draft.isDirty || !isStillTheirs()) return
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
    // What the server does not take, such as a text that is too long, is kept here and tried with the next letter.
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
type Read = Awaited<ReturnType<ReturnType<typeof draftsQuery>['queryFn']>>
/** As many as the server shows at once: of older ones nothing is known. */
const LISTED_MAX = 100

function take({ drafts, askedAt }: Read, workspace: string): void {
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

// Another tab of this browser has kept one, and may have saved it.
addEventListener('storage', ({ key }) => {
  const id = chatOfStored(key)
  if (id) settledAt.set(id, performance.now())
})

let reading: ReturnType<typeof setTimeout> | undefined

/** Reads what the server has, in the next pause of whoever writes here: a slow phone has better to do between two letters. */
function readInPause(workspace: string): void {
  clearTimeout(reading)
  if (pending.size === 0) void queryClient.invalidateQueries({ queryKey: draftsQuery(workspace).queryKey })
  else reading = setTimeout(() => readInPause(workspace), SAVE_AFTER_MS)
}

/** Keeps the drafts of a member as they are on all of their devices. */
export function useDraftSync(workspace: string, me: string, mayWrite: boolean): void {
  const { data } = useQuery({ ...draftsQuery(workspace), enabled: mayWrite })
  useEffect(() => {
    if (data) take(data, workspace)
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
        if (ids === 'many' || ids.includes(me)) readInPause(workspace)
      }),
    ]
    flush()
    addEventListener('online', flush)
    // Hidden: it may be closed. Seen again: the tab that wrote may be gone.
    document.addEventListener('visibilitychange', flush)
    return () => {
      for (const end of ends) end()
      removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [workspace, me, mayWrite])
}
