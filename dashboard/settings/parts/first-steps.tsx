/** Shows the first steps in a workspace; each is ticked based on actual data. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { call, callDashboard } from '../../api/request.ts'
import { useWorkspaceSession, type WorkspaceSession } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import type en from '../en.json'
import { t } from '../texts.ts'

const PasswordForm = lazyComponent(() =>
  import('../../profile/parts/password-form.tsx').then((module) => module.PasswordForm),
)

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

type Title = Extract<keyof typeof en, `start.${string}.title`>
type Step = { id: Title extends `start.${infer Id}.title` ? Id : never; page: string; isDone: boolean }

const hasOwnSignIn = ({ account }: WorkspaceSession): boolean =>
  account.email?.endsWith('.local') === false && (account.hasPassword || account.passkeys.length > 0)

const hasFirstFactor = ({ account }: WorkspaceSession): boolean =>
  account.hasPassword || account.passkeys.length > 0

/** Asks a person who came by a link for a password or passkey, before everything else. */
const OwnSignIn = ({ workspace, account }: { workspace: string; account: WorkspaceSession['account'] }) => (
  <div className="mb-6 flex max-w-2xl flex-col gap-4 rounded-lg border border-accent p-4">
    <Callout kind="warn">{t('start.signIn')}</Callout>
    <PasswordForm account={account} />
    <Link
      to={`/w/${workspace}/profile` as never}
      className="inline-flex min-h-6 self-start font-medium text-accent hover:underline pointer-coarse:min-h-11"
    >
      {t('start.passkey')}
    </Link>
  </div>
)

function StepRow({ step, workspace }: { step: Step; workspace: string }) {
  const Icon = step.isDone ? CircleCheck : CircleDashed
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon
        role="img"
        aria-label={t(step.isDone ? 'start.done' : 'start.open')}
        size={20}
        className={classes('mt-0.5 shrink-0', step.isDone ? 'text-good' : 'text-ink-3')}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t(`start.${step.id}.title`)}</p>
        <p className="text-ink-2">{t(`start.${step.id}.text`)}</p>
      </div>
      {!step.isDone && (
        <Link
          to={`/w/${workspace}/${step.page}` as never}
          className="inline-flex min-h-6 shrink-0 items-center gap-1 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {t('start.go')}
          <span className="sr-only">{t(`start.${step.id}.title`)}</span>
          <ArrowRight aria-hidden size={14} className="rtl:-scale-x-100" />
        </Link>
      )}
    </li>
  )
}

export function FirstSteps({ around }: { around?: ReactNode }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const chats = useQuery(chatsThere)
  const answers = useQuery(answersThere)
  const members = useQuery(membersThere)
  const keys = useQuery(keysThere)
  const numbers = useQuery(numbersThere)
  const queries = [chats, answers, members, keys, numbers]
  const failed = queries.find(({ isLoadingError }) => isLoadingError)
  if (failed)
    return <Failed error={failed.error} onRetry={() => queries.forEach((query) => void query.refetch())} />
  if (queries.some(({ isPending }) => isPending)) return around ?? <SkeletonRows />
  const { sandbox } = session.workspace
  const steps: Step[] = [
    { id: 'account', page: 'profile', isDone: hasOwnSignIn(session) },
    { id: 'number', page: 'settings/numbers', isDone: numbers.data === true },
    {
      id: sandbox ? 'play' : 'write',
      page: sandbox ? 'sandbox' : 'inbox',
      isDone: chats.data === true,
    },
    { id: 'answer', page: 'inbox', isDone: answers.data === true },
    { id: 'invite', page: 'members', isDone: members.data === true },
    { id: 'key', page: 'keys', isDone: keys.data === true },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section title={t('start')} description={t('start.count', { done, all: steps.length })}>
      {!hasFirstFactor(session) && <OwnSignIn workspace={workspace} account={session.account} />}
      <ol aria-label={t('start')} className="max-w-2xl divide-y rounded-lg border">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} workspace={workspace} />
        ))}
      </ol>
    </Section>
  )
}
