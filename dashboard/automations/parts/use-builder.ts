/** Holds the state of the automation form: the draft, its errors, and saving. */
import { useEffect, useRef, useState } from 'react'
import type { Automation } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { ApiError, type Issue, messageOf } from '../../api/errors.ts'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import {
  type Draft,
  definitionOf,
  draftOf,
  isSame,
  missingFields,
  unnestIssues,
  withoutIssues,
} from '../draft.ts'
import { changeAutomation, createAutomation } from '../queries.ts'
import { t } from '../texts.ts'

type Options = {
  /** Undefined for a new automation, which starts as `first`. */
  automation?: Automation
  first: Draft
  onSaved: (automation: Automation, secret: string | null) => void
}

const missingIssue = (path: string): Issue => ({
  path,
  message: t(path === 'actions' ? 'needed.actions' : 'needed'),
})

export function useBuilder({ automation, first, onSaved }: Options) {
  const [draft, setDraft] = useState(first)
  const [base, setBase] = useState(first)
  const [issues, setIssues] = useState<Issue[]>([])
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState<'on' | 'off'>()
  const top = useRef<HTMLDivElement>(null)
  // If the request is sent again, the new automation is created only once.
  const attempt = useAttempt()
  const isDirty = !isSame(draft, base)
  const { question, release } = useUnsaved(isDirty)
  // A version saved by a teammate is shown, unless unsaved changes here would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version came
  useEffect(() => {
    if (!automation || isDirty) return
    const stored = draftOf(automation)
    if (isSame(stored, base)) return
    setBase(stored)
    setDraft(stored)
  }, [automation?.updatedAt])
  const savedDraft = automation && draftOf(automation)
  const loadDraft = (stored: Draft) => {
    setBase(stored)
    setDraft(stored)
    setIssues([])
    setFailure(undefined)
  }
  const change = (patch: Partial<Draft>, path: string) => {
    setDraft((before) => ({ ...before, ...patch }))
    setIssues((before) => withoutIssues(before, path))
    // Remaining errors are shown at their fields.
    setFailure(undefined)
  }
  const showIssues = (next: Issue[]) => {
    setIssues(next)
    if (next.length > 0)
      requestAnimationFrame(() => {
        const firstError = top.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')
        firstError?.focus()
        firstError?.scrollIntoView({ block: 'center' })
      })
  }
  const check = (): boolean => {
    const open = missingFields(draft)
    setFailure(open.length > 0 ? t('refused') : undefined)
    showIssues(open.map(missingIssue))
    return open.length === 0
  }
  /** A test does not require a name. */
  const checkForTest = (): boolean => {
    const open = missingFields(draft).filter((path) => path !== 'name')
    showIssues(open.map(missingIssue))
    return open.length === 0
  }
  const save = async (enabled: boolean) => {
    if (busy || !check()) return
    setBusy(enabled ? 'on' : 'off')
    try {
      const definition = definitionOf(draft)
      const body = { ...definition, enabled }
      const saved = automation
        ? await changeAutomation(automation.id, definition)
        : await attempt(body, (idempotencyKey) => createAutomation(body, idempotencyKey))
      const stored = draftOf(saved.automation)
      loadDraft(stored)
      notify({ title: t(automation ? 'saved' : enabled ? 'made.on' : 'made.off'), kind: 'good' })
      if (!automation) release()
      onSaved(saved.automation, saved.secret)
    } catch (error) {
      const serverIssues = error instanceof ApiError ? unnestIssues(error.issues) : []
      setFailure(serverIssues.length > 0 ? t('refused') : messageOf(error))
      showIssues(serverIssues)
    }
    setBusy(undefined)
  }
  /** A teammate saved the automation while it was changed here. */
  const isClash =
    isDirty && !busy && savedDraft !== undefined && !isSame(savedDraft, base) && !isSame(savedDraft, draft)
  const loadSavedVersion = () => savedDraft && loadDraft(savedDraft)
  return {
    draft,
    issues,
    failure,
    busy,
    isDirty,
    isClash,
    loadSavedVersion,
    top,
    question,
    change,
    showIssues,
    checkForTest,
    save,
  }
}
export type AutomationBuilder = ReturnType<typeof useBuilder>
