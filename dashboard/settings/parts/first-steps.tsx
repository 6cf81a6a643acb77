/** A page with the first steps in a workspace; each is ticked based on actual data. The next one is highlighted. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, CircleDashed } from 'lucide-react'
import { call, callDashboard } from '../../api/request.ts'
import { useWorkspaceSession, type WorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Page } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { useNow } from '../../kit/time.tsx'
import { useIsWide } from '../../kit/width.ts'
import { runWhenOffered } from '../../shell/commands-store.ts'
import type en from '../en.json'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'
import { deviceZone, offsetOf, titleOfZone } from './zones.ts'

const OwnSignIn = lazyComponent(() => import('./own-sign-in.tsx').then((module) => module.OwnSignIn))

/** Read on every visit, because the steps are done on other pages. */
const always = { staleTime: 0, refetchOnMount: 'always' } as const

const chatsThere = queryOptions({
  queryKey: ['conversation', 'list', 'any'],
  queryFn: async () => (await call('GET /conversations', { query: { limit: 1 } })).conversations.length > 0,
  ...always,
})
const answersThere = queryOptions({
  queryKey: ['message', 'list', 'answers'],
  queryFn: async () =>
    (await call('GET /messages', { query: { limit: 1, direction: 'outbound' } })).messages.length > 0,
  ...always,
})
const membersThere = queryOptions({
  queryKey: ['member', 'list', 'several'],
  queryFn: async () => (await callDashboard('GET /members')).members.length > 1,
  ...always,
})
const keysThere = queryOptions({
  queryKey: ['key', 'list', 'any'],
  queryFn: async () => (await callDashboard('GET /keys')).keys.some(({ revokedAt }) => revokedAt === null),
  ...always,
})
const numbersThere = queryOptions({
  queryKey: ['number', 'list', 'active'],
  queryFn: async () =>
    (await call('GET /phone-numbers')).phoneNumbers.some(({ state }) => state === 'active'),
  ...always,
})

/** Settings that most businesses need later. */
const MORE = [
  ['import', 'contacts/import'],
  ['hours', 'settings/hours'],
  ['replies', 'settings/replies'],
  ['template', 'templates/new'],
  ['modules', 'settings/usage'],
  ['shop', 'integrations'],
] as const

type Title = Extract<keyof typeof en, `start.${string}.title`>
type Step = {
  id: Title extends `start.${infer Id}.title` ? Id : never
  page: string
  isDone: boolean
  isOnPhone?: boolean
  isAbove?: boolean
}

const hasOwnSignIn = ({ account }: WorkspaceSession): boolean =>
  account.email?.endsWith('.local') === false && (account.hasPassword || account.passkeys.length > 0)

const hasFirstFactor = ({ account }: WorkspaceSession): boolean =>
  account.hasPassword || account.passkeys.length > 0

const LINK = 'inline-flex min-h-9 shrink-0 items-center gap-1 rounded-md font-medium pointer-coarse:min-h-11'

/** Opens the sandbox phone next to the page, unless it is open. */
function openPhone(): void {
  if (!document.querySelector('[data-beside]')) runWhenOffered('phone')
}

type RowProps = { step: Step; workspace: string; isNext: boolean }

/** `isNext`: the first step that is not done. */
function StepRow({ step, workspace, isNext }: RowProps) {
  const Icon = step.isDone ? CircleCheck : CircleDashed
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={classes('flex flex-wrap items-start gap-3 px-4 py-3', isNext && 'bg-accent-soft')}
    >
      <Icon
        role="img"
        aria-label={t(step.isDone ? 'start.done' : 'start.open')}
        size={20}
        className={classes('mt-0.5 shrink-0', step.isDone ? 'text-good' : 'text-ink-3')}
      />
      <div className="min-w-48 flex-1">
        <p className={classes('font-medium', step.isDone && 'text-ink-2')}>{t(`start.${step.id}.title`)}</p>
        {!step.isDone && <p className="text-ink-2">{t(`start.${step.id}.text`)}</p>}
      </div>
      {!step.isDone && !step.isAbove && (
        <Link
          to={`/w/${workspace}/${step.page}` as never}
          onClick={step.isOnPhone ? openPhone : undefined}
          className={classes(
            LINK,
            isNext ? 'bg-accent px-3.5 text-on-accent hover:bg-accent-strong' : 'text-accent hover:underline',
          )}
        >
          {t(`start.${step.id}.go`)}
          <ArrowRight aria-hidden size={14} className="rtl:-scale-x-100" />
        </Link>
      )}
    </li>
  )
}

/** Offers the device's time zone to an owner whose workspace has another one. */
function ZoneSuggestion({ zone }: { zone: string }) {
  const own = deviceZone()
  const now = useNow()
  const choose = useWrite({
    work: (timezone: string) => callDashboard('PATCH /workspace', { body: { timezone } }),
    done: () => t('workspace.saved'),
    reads: ['workspace', 'session'],
  })
  if (offsetOf(own, now) === offsetOf(zone, now)) return null
  return (
    <div className="mb-6 max-w-2xl">
      <Callout
        action={
          <Button size="sm" busy={choose.isPending} onClick={() => choose.mutate(own)}>
            {t('start.zone.use', { zone: titleOfZone(own) })}
          </Button>
        }
      >
        {t('start.zone', { zone: titleOfZone(zone) })}
      </Callout>
    </div>
  )
}

export function FirstSteps() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const chats = useQuery(chatsThere)
  const answers = useQuery(answersThere)
  const members = useQuery(membersThere)
  const keys = useQuery(keysThere)
  const numbers = useQuery(numbersThere)
  const isWide = useIsWide()
  const queries = [chats, answers, members, keys, numbers]
  const failed = queries.find(({ isLoadingError }) => isLoadingError)
  if (failed)
    return (
      <Page title={t('start')}>
        <Failed error={failed.error} onRetry={() => queries.forEach((query) => void query.refetch())} />
      </Page>
    )
  if (queries.some(({ isPending }) => isPending))
    return (
      <Page title={t('start')}>
        <SkeletonRows />
      </Page>
    )
  const { sandbox } = session.workspace
  const asksSignIn = !hasFirstFactor(session)
  const steps: Step[] = [
    // Its form is above the steps.
    { id: 'account', page: 'profile', isDone: hasOwnSignIn(session), isAbove: asksSignIn },
    { id: 'number', page: 'settings/numbers', isDone: numbers.data === true },
    {
      id: sandbox ? 'play' : 'write',
      // With room for both, the chat appears in the inbox next to the phone.
      page: sandbox && !isWide ? 'sandbox' : 'inbox',
      isOnPhone: sandbox && isWide,
      isDone: chats.data === true,
    },
    { id: 'answer', page: 'inbox', isDone: answers.data === true },
    { id: 'invite', page: 'members', isDone: members.data === true },
  ]
  // Only a team with programs of its own needs a key.
  const key: Step = { id: 'key', page: 'keys', isDone: keys.data === true }
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone, isAbove }) => !isDone && !isAbove)
  return (
    <Page title={t('start')} description={t('start.count', { done, all: steps.length })}>
      {asksSignIn && <OwnSignIn workspace={workspace} account={session.account} />}
      {done < steps.length && <ZoneSuggestion zone={session.workspace.timezone} />}
      <div aria-hidden className="mb-4 h-1.5 max-w-2xl overflow-hidden rounded-full bg-surface-3">
        <div className="h-full bg-good" style={{ width: `${(100 * done) / steps.length}%` }} />
      </div>
      {done === steps.length && (
        <div className="mb-4 max-w-2xl">
          <Callout kind="good">{t('start.complete')}</Callout>
        </div>
      )}
      <ol aria-label={t('start')} className="max-w-2xl divide-y overflow-hidden rounded-lg border">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} workspace={workspace} isNext={step === next} />
        ))}
      </ol>
      <h2 className="mt-8 mb-2 font-semibold">{t('start.more')}</h2>
      <ul className="grid max-w-2xl gap-x-6 sm:grid-cols-2">
        {MORE.map(([id, page]) => (
          <li key={id}>
            <Link to={`/w/${workspace}/${page}` as never} className={`${LINK} text-accent hover:underline`}>
              {t(`start.more.${id}`)}
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="mt-8 mb-2 font-semibold">{t('start.developers')}</h2>
      <ul aria-label={t('start.developers')} className="max-w-2xl rounded-lg border">
        <StepRow step={key} workspace={workspace} isNext={false} />
      </ul>
    </Page>
  )
}
