/** The form of an automation: when, if, then. The server's errors appear at their rows. */
import type { ReactNode } from 'react'
import type { Automation } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { type Draft, errorAt } from '../draft.ts'
import { type Catalog, fieldsFor } from '../fields.ts'
import { t } from '../texts.ts'
import { Actions } from './actions.tsx'
import { Conditions } from './conditions.tsx'
import { TestPanel } from './test-panel.tsx'
import { TriggerFields } from './trigger-fields.tsx'
import { type AutomationBuilder, useBuilder } from './use-builder.ts'

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

function Saving({ automation, builder }: Pick<Props, 'automation'> & { builder: AutomationBuilder }) {
  const { isDirty, busy, save } = builder
  return (
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
  )
}

type Props = {
  /** Undefined for a new automation, which starts as `first`. */
  automation?: Automation
  first: Draft
  catalog: Catalog
  workspace: WorkspaceSession['workspace']
  onSaved: (automation: Automation, secret: string | null) => void
}

export function Builder({ automation, first, catalog, workspace, onSaved }: Props) {
  const builder = useBuilder({ automation, first, onSaved })
  const { draft, issues, failure, change, top, question } = builder
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
            catalog={catalog}
            workspace={workspace}
            issues={issues}
            onChange={(next) => change({ trigger: next }, 'trigger')}
          />
        </Card>
        <Card title={t('if')} text={t('if.text')}>
          <Conditions
            match={draft.match}
            rows={draft.conditions}
            fields={fieldsFor(trigger, catalog)}
            catalog={catalog}
            path="conditions"
            issues={issues}
            onChange={(match, conditions) => change({ match, conditions }, 'conditions')}
          />
        </Card>
        <Card title={t('then')} text={t('then.text')}>
          <Actions
            rows={draft.actions}
            catalog={catalog}
            trigger={trigger}
            workspace={workspace}
            issues={issues}
            onChange={(actions, index) =>
              change({ actions }, index === undefined ? 'actions' : `actions[${index}]`)
            }
          />
        </Card>
        {builder.isClash && (
          <Callout
            kind="warn"
            role="alert"
            action={
              <Button size="sm" onClick={builder.loadSavedVersion}>
                {t('clash.theirs')}
              </Button>
            }
          >
            {t('clash')}
          </Callout>
        )}
        <FormFault fault={{ message: failure }} />
        <Saving automation={automation} builder={builder} />
      </div>
      <div className="lg:sticky lg:top-4">
        <TestPanel
          draft={draft}
          catalog={catalog}
          onCheck={builder.checkForTest}
          onIssues={builder.showIssues}
        />
      </div>
      {question}
    </div>
  )
}
