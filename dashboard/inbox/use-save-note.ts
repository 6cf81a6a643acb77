/**
 * Saves a note. It stays in the composer until it is saved, even if its writer leaves the chat, and is saved
 * exactly once.
 */
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { type Attempt, newAttempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import { isPassing } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { notifyError } from '../shell/notify-error.ts'
import { draftOf, setDraft } from './draft.ts'
import { mentionsIn } from './parts/mentions-in.ts'
import { notesQuery, teamQuery } from './queries.ts'

const MAX_RETRIES = 4

/** The note being saved in each chat. */
const attempts = new Map<string, Attempt>()
function attemptOf(conversationId: string): Attempt {
  const attempt = attempts.get(conversationId) ?? newAttempt()
  attempts.set(conversationId, attempt)
  return attempt
}

/** Removes a saved note from the draft; text added after it stays. */
function clearSaved(conversationId: string, text: string): void {
  const draft = draftOf(conversationId)
  const written = draft.text.trimStart()
  if (written.startsWith(text))
    setDraft(conversationId, { ...draft, text: written.slice(text.length).trimStart(), other: undefined })
}

export function useSaveNote(conversationId: string) {
  const mutationKey = ['note', 'save', conversationId]
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (text: string) => {
      const mentions = mentionsIn(text, queryClient.getQueryData(teamQuery.queryKey) ?? [])
      const body = { body: text, ...(mentions.length > 0 && { mentions }) }
      return attemptOf(conversationId)(body, (idempotencyKey) =>
        call('POST /conversations/{id}/notes', { params: { id: conversationId }, body, idempotencyKey }),
      )
    },
    retry: (count, error) => isPassing(error) && count < MAX_RETRIES,
    onSuccess: (_, text) => {
      clearSaved(conversationId, text)
      return queryClient.invalidateQueries({ queryKey: notesQuery(conversationId).queryKey })
    },
    onError: notifyError,
  })
  return { save: mutate, isSaving: useIsMutating({ mutationKey }) > 0 }
}
