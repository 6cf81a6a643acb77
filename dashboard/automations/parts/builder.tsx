/** When, if, then, as rows of a form; what the server refuses stands at its row. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Automation } from '../../../sdk/api.ts'
import { useAttempt } from '../../api/attempt.ts'
import { ApiError, type Issue, messageOf } from '../../api/errors.ts'
import type { Here } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { notify } from '../../kit/toasts.tsx'
import { useUnsaved } from '../../kit/unsaved.tsx'
import {
  type Draft,
  definitionOf,
  draftOf,
  errorAt,
  isSame,
  leftOpen,
  plainIssues,
  without,
} from '../draft.ts'
import { fieldsFor, type Known } from '../fields.ts'
import { changeAutomation, createAutomation } from '../queries.ts'
import { t } from '../words.ts'
import { Actions } from './actions.tsx'
import { Conditions } from './conditions.tsx'
import { TestPanel } from './test-panel.tsx'
import { TriggerFields } from './trigger.tsx'

type CardProps = { title: string; text: string; children: ReactNode }

const Card = ({ title, text, children }: CardProps) => (
  <section aria-label={title} className="rounded-lg border p-4">
    <header className="mb-3 flex flex-wrap items-baseline gap-x-3">
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="text-sm text-ink-2">{text}</p>
    </header>
    {children}
  </section>
)

type Props = {
  /** Undefined: a new one, which begins as `first`. */
  automation?: Automation
  first: Draft
  known: Known
  workspace: Here['workspace']
  onSaved: (automation: Automation, secret: string | null) => void
}

export function Builder({ automation, first, known, workspace, onSaved }: Props) {
  const [draft, setDraft] = useState(first)
  const [base, setBase] = useState(first)
  const [issues, setIssues] = useState<Issue[]>([])
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState<'on' | 'off'>()
  const top = useRef<HTMLDivElement>(null)
  // The same new automation, sent again, is made once.
  const attempt = useAttempt()
  const isDirty = !isSame(draft, base)
  const { question, release } = useUnsaved(isDirty)
  // What somebody else saved is shown, unless something of one's own would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version came
  useEffect(() => {
    if (!automation || isDirty) return
    const stored = draftOf(automation)
    if (isSame(stored, base)) return
    setBase(stored)
    setDraft(stored)
  }, [automation?.updatedAt])
  const change = (patch: Partial<Draft>, path: string) => {
    setDraft((before) => ({ ...before, ...patch }))
    setIssues((before) => without(before, path))
    // What is still marked says so itself.
    setFailure(undefined)
  }
  const showIssues = (next: Issue[]) => {
    setIssues(next)
    if (next.length > 0)
      requestAnimationFrame(() => {
        const wrong = top.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')
        wrong?.focus()
        wrong?.scrollIntoView({ block: 'center' })
      })
  }
  const check = (): boolean => {
    const open = leftOpen(draft).map((path) => ({
      path,
      message: t(path === 'actions' ? 'needed.actions' : 'needed'),
    }))
    setFailure(open.length > 0 ? t('refused') : undefined)
    showIssues(open)
    return open.length === 0
  }
  /** A test needs no name. */
  const checkForTest = (): boolean => {
    const open = leftOpen(draft).filter((path) => path !== 'name')
    showIssues(open.map((path) => ({ path, message: t(path === 'actions' ? 'needed.actions' : 'needed') })))
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
      setBase(stored)
      setDraft(stored)
      setIssues([])
      setFailure(undefined)
      notify({ title: t(automation ? 'saved' : enabled ? 'made.on' : 'made.off'), kind: 'good' })
      if (!automation) release()
      onSaved(saved.automation, saved.secret)
    } catch (error) {
      const refused = error instanceof ApiError ? plainIssues(error.issues) : []
      setFailure(refused.length > 0 ? t('refused') : messageOf(error))
      showIssues(refused)
    }
    setBusy(undefined)
  }
  const { trigger } = draft
  return (
    <div ref={top} className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          label={t('name')}
          hint={t('name.hint')}
          maxLength={120}
          error={errorAt(issues, 'name')}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value }, 'name')}
        />
        <Card title={t('when')} text={t('when.text')}>
          <TriggerFields
            trigger={trigger}
            known={known}
            workspace={workspace}
            issues={issues}
            onChange={(next) => change({ trigger: next }, 'trigger')}
          />
        </Card>
        <Card title={t('if')} text={t('if.text')}>
          <Conditions
            match={draft.match}
            rows={draft.conditions}
            fields={fieldsFor(trigger, known)}
            known={known}
            path="conditions"
            issues={issues}
            onChange={(match, conditions) => change({ match, conditions }, 'conditions')}
          />
        </Card>
        <Card title={t('then')} text={t('then.text')}>
          <Actions
            rows={draft.actions}
            known={known}
            trigger={trigger}
            workspace={workspace}
            issues={issues}
            onChange={(actions, at) => change({ actions }, at === undefined ? 'actions' : `actions[${at}]`)}
          />
        </Card>
        {failure && (
          <Callout kind="bad" role="alert">
            {failure}
          </Callout>
        )}
        <footer className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t bg-surface-1 px-1 py-3">
          {automation ? (
            <Button
              variant="primary"
              disabled={!isDirty}
              busy={busy !== undefined}
              onClick={() => void save(automation.enabled)}
            >
              {t('save')}
            </Button>
          ) : (
            <>
              <Button variant="primary" busy={busy === 'on'} onClick={() => void save(true)}>
                {t('save.on')}
              </Button>
              <Button busy={busy === 'off'} onClick={() => void save(false)}>
                {t('save.off')}
              </Button>
            </>
          )}
          {isDirty && <span className="text-sm text-ink-3">{t('unsaved')}</span>}
        </footer>
      </div>
      <div className="lg:sticky lg:top-4">
        <TestPanel draft={draft} known={known} onCheck={checkForTest} onIssues={showIssues} />
      </div>
      {question}
    </div>
  )
}
