/** Tests an automation with a recent event: shows each condition, then each step, with reasons. */
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  Check,
  CircleDashed,
  CircleStop,
  Clock,
  FlaskConical,
  type LucideIcon,
  TriangleAlert,
  X,
} from 'lucide-react'
import { useState } from 'react'
import type { AutomationTestResult, LoggedEvent } from '../../../sdk/api.ts'
import { ApiError, type Issue } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Callout, FormFault } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { SelectField } from '../../kit/select.tsx'
import { formatFull, formatShort, useNow } from '../../kit/time.tsx'
import { type Draft, definitionOf, isSame, unnestIssues } from '../draft.ts'
import { type Catalog, type Field, fieldsFor } from '../fields.ts'
import { formatAction, formatCondition, formatType } from '../format.ts'
import {
  type Condition,
  latestContactsQuery,
  recentEventsQuery,
  type TestInput,
  testAutomation,
} from '../queries.ts'
import { t } from '../texts.ts'

const EXAMPLE = 'example'

/** Returns the customer of an event, if the event names one. */
function customerNameIn({ data }: LoggedEvent): string {
  const objects = [data, data.contact, data.lead, data.invoice, data.booking].flatMap((value) =>
    value !== null && typeof value === 'object' ? [value as Record<string, unknown>] : [],
  )
  const customer = objects
    .map(({ customer: value }) => value)
    .find((value) => value !== null && typeof value === 'object')
  const records = [...objects, ...(customer ? [customer as Record<string, unknown>] : [])]
  for (const name of ['name', 'customerName', 'phone', 'title', 'number'])
    for (const record of records)
      if (typeof record[name] === 'string' && record[name] !== '') return record[name]
  return ''
}

type Outcome = AutomationTestResult['actions'][number]['status']
const LOOKS: Record<Outcome, { icon: LucideIcon; className: string }> = {
  done: { icon: Check, className: 'text-good' },
  skipped: { icon: CircleDashed, className: 'text-ink-3' },
  failed: { icon: TriangleAlert, className: 'text-bad' },
  waiting: { icon: Clock, className: 'text-note' },
  stopped: { icon: CircleStop, className: 'text-warn' },
}

type ResultProps = { result: AutomationTestResult; draft: Draft; fields: readonly Field[]; catalog: Catalog }

function Result({ result, draft, fields, catalog }: ResultProps) {
  return (
    <section aria-label={t('test.result')} className="flex flex-col gap-3">
      <Callout kind={result.starts ? 'good' : 'warn'} role="status">
        {t(result.starts ? 'test.starts' : 'test.stays')}
      </Callout>
      {result.conditions.length > 0 && (
        <ul aria-label={t('if')} className="flex flex-col gap-1.5">
          {result.conditions.map((condition, index) => {
            const Icon = condition.held ? Check : X
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
              <li key={index} className="flex items-start gap-2 text-sm">
                <Icon
                  aria-hidden
                  size={16}
                  className={classes('mt-0.5 shrink-0', condition.held ? 'text-good' : 'text-bad')}
                />
                <span className="min-w-0">
                  <span className="block break-words">{formatCondition(fields, condition as Condition)}</span>
                  <span className="text-ink-3">{t(condition.held ? 'held' : 'unheld')}</span>
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <ol aria-label={t('then')} className="flex flex-col gap-2">
        {result.actions.map(({ action, status, reason, result: outcome }, index) => {
          const { icon: Icon, className } = LOOKS[status]
          const draftAction = draft.actions[index]?.value
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows keep their order
            <li key={index} className="flex items-start gap-2 text-sm">
              <Icon aria-hidden size={16} className={classes('mt-0.5 shrink-0', className)} />
              <span className="min-w-0">
                <span className="block font-medium">
                  {t('step', { number: index + 1, name: formatType(action) })}
                </span>
                {draftAction && (
                  <span className="line-clamp-3 break-words text-ink-2">
                    {formatAction(draftAction, catalog)}
                  </span>
                )}
                <span className="block break-words text-ink-3">
                  {t(`tried.${status}`)}
                  {reason && `: ${reason}`}
                  {typeof outcome?.until === 'string' &&
                    `: ${t('tried.until', { at: formatFull(outcome.until) })}`}
                </span>
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

type Props = {
  draft: Draft
  catalog: Catalog
  /** Shows errors at their rows; returns false if a required field is empty. */
  onCheck: () => boolean
  onIssues: (issues: Issue[]) => void
}

export function TestPanel({ draft, catalog, onCheck, onIssues }: Props) {
  const now = useNow()
  const { trigger } = draft
  const event = 'event' in trigger ? trigger.event : undefined
  const recentEvents = useQuery({ ...recentEventsQuery(event ?? ''), enabled: event !== undefined })
  const contacts = useQuery({ ...latestContactsQuery, enabled: event === undefined })
  const [chosen, setChosen] = useState<string>()
  const choices =
    event !== undefined
      ? [
          ...(recentEvents.data ?? []).map((pastEvent) => ({
            value: pastEvent.id,
            label: [formatShort(pastEvent.createdAt, now), customerNameIn(pastEvent)]
              .filter(Boolean)
              .join(' · '),
          })),
          { value: EXAMPLE, label: t('test.example') },
        ]
      : (contacts.data ?? []).map(({ id, displayName, phone }) => ({
          value: id,
          label: displayName ?? phone,
        }))
  const value = choices.find((choice) => choice.value === chosen)?.value ?? choices[0]?.value ?? null
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (testedDraft: Draft) => {
      const { name, ...definition } = definitionOf(testedDraft)
      const about: Partial<TestInput> =
        event === undefined
          ? value
            ? { contactId: value }
            : {}
          : value && value !== EXAMPLE
            ? { eventId: value }
            : {}
      return {
        of: testedDraft,
        result: await testAutomation({
          automation: { ...definition, ...(name.trim() ? { name } : {}) },
          ...about,
        } as TestInput),
      }
    },
    onError: (refusal) => onIssues(refusal instanceof ApiError ? unnestIssues(refusal.issues) : []),
    onSuccess: () => onIssues([]),
  })
  const isEmpty = event !== undefined && recentEvents.data?.length === 0
  return (
    <section
      aria-labelledby="automation-test"
      className="flex flex-col gap-3 rounded-lg border bg-surface-2 p-4"
    >
      <header>
        <h2 id="automation-test" className="text-md font-semibold">
          {t('test')}
        </h2>
        <p className="text-sm text-ink-2">{t('test.text')}</p>
      </header>
      <SelectField
        label={t(event === undefined ? 'test.contact' : 'test.event')}
        hint={isEmpty ? t('test.none') : undefined}
        value={value}
        onChange={setChosen}
        choices={choices}
      />
      <Button
        icon={FlaskConical}
        className="self-start"
        busy={isPending}
        onClick={() => onCheck() && mutate(draft)}
      >
        {t('test.run')}
      </Button>
      <FormFault fault={error} />
      {data && !error && (
        <>
          {!isSame(data.of, draft) && <p className="text-sm text-ink-3">{t('test.old')}</p>}
          <Result
            result={data.result}
            draft={data.of}
            fields={fieldsFor(data.of.trigger, catalog)}
            catalog={catalog}
          />
        </>
      )}
    </section>
  )
}
