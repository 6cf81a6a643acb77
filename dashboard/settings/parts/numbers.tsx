import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Ellipsis, History, KeyRound, Link2, Phone, Plus, RefreshCw, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { PhoneNumber } from '../../../sdk/api.ts'
import { call, callDashboard } from '../../api/request.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { t } from '../texts.ts'
import { refresh, useWrite } from '../use-write.ts'
import { ConnectNumber } from './connect-number.tsx'
import { NumberState } from './number-state.tsx'
import { ReplaceToken } from './replace-token.tsx'
import { signupsQuery } from './signup/queries.ts'
import { UnfinishedSignups } from './signup/unfinished-signups.tsx'

const StartSignup = lazyComponent(() =>
  import('./signup/start-signup.tsx').then((module) => module.StartSignup),
)
const SignupResult = lazyComponent(() =>
  import('./signup/signup-result.tsx').then((module) => module.SignupResult),
)
const UnknownSignup = lazyComponent(() =>
  import('./signup/signup-result.tsx').then((module) => module.UnknownSignup),
)

const READS = ['number']

type OpenDialog = { number: PhoneNumber; as: 'token' | 'disconnect' }
type CardProps = { number: PhoneNumber; onOpen: (opened: OpenDialog) => void }

function NumberCard({ number, onOpen }: CardProps) {
  const check = useWrite({
    work: () => callDashboard('POST /numbers/{id}/check', { params: { id: number.id } }),
    done: ({ ok, problem }) =>
      problem ?? t(ok ? 'numbers.works' : 'numbers.fails', { number: number.number }),
    isGood: ({ ok }) => ok,
    reads: READS,
  })
  const history = useWrite({
    work: () => call('POST /phone-numbers/{id}/history-sync', { params: { id: number.id }, body: {} }),
    done: ({ addressBookProblem }) => addressBookProblem ?? t('numbers.history.requested.done'),
    isGood: ({ addressBookProblem }) => addressBookProblem === null,
    reads: READS,
  })
  const hasArrived = number.historySync?.state === 'receiving' || number.historySync?.state === 'complete'
  return (
    <li className="flex flex-wrap items-start gap-3 rounded-lg border bg-surface-1 p-4">
      <NumberState number={number} />
      <div className="flex items-center gap-1">
        <Button size="sm" icon={RefreshCw} busy={check.isPending} onClick={() => check.mutate(undefined)}>
          {t('numbers.check')}
        </Button>
        <Menu
          align="end"
          trigger={<IconButton icon={Ellipsis} size="sm" label={t('actions.of', { name: number.number })} />}
          entries={[
            ...(hasArrived
              ? []
              : [
                  {
                    label: t('numbers.history'),
                    icon: History,
                    onSelect: () => history.mutate(undefined),
                  },
                ]),
            { label: t('numbers.token'), icon: KeyRound, onSelect: () => onOpen({ number, as: 'token' }) },
            {
              label: t('numbers.disconnect'),
              icon: Unplug,
              danger: true,
              onSelect: () => onOpen({ number, as: 'disconnect' }),
            },
          ]}
        />
      </div>
    </li>
  )
}

/** Shows the dialogs of the operator's signup: its start, and its result after the return, which the address names. */
function useSignup() {
  const navigate = useNavigate()
  const { signup } = useSearch({ strict: false }) as { signup?: string }
  const [isStarting, setStarting] = useState(false)
  const open = (id?: string) =>
    void navigate({ to: '.', search: id === undefined ? {} : { signup: id }, replace: true } as never)
  const start = () => {
    if (signup !== undefined) open()
    setStarting(true)
  }
  const result = { onClose: () => open(), onStart: start }
  const dialogs = isStarting ? (
    <StartSignup onClose={() => setStarting(false)} />
  ) : signup === 'unknown' ? (
    <UnknownSignup {...result} />
  ) : signup === undefined ? null : (
    <SignupResult key={signup} id={signup} {...result} />
  )
  return { open, start, dialogs }
}

/** Shows the workspace's numbers and their states. */
export function Numbers() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const { data: numbers, error, isLoadingError, isPending, refetch } = useQuery(numbersQuery)
  const [isConnecting, setConnecting] = useState(false)
  const [opened, setOpened] = useState<OpenDialog>()
  const close = () => setOpened(undefined)
  const disconnect = useWrite({
    work: ({ id }: PhoneNumber) => callDashboard('DELETE /numbers/{id}', { params: { id } }),
    done: ({ number }) => t('numbers.disconnected', { number: number.number }),
    reads: READS,
    after: close,
  })
  const { data: signups } = useQuery(signupsQuery)
  const signup = useSignup()
  const isHosted = signups?.available === true
  const connectButton = (
    <span className="flex flex-wrap justify-center gap-2">
      <Button
        variant={isHosted ? 'secondary' : 'primary'}
        icon={isHosted ? KeyRound : Plus}
        onClick={() => setConnecting(true)}
      >
        {t(isHosted ? 'signup.credentials' : 'numbers.connect')}
      </Button>
      {isHosted && (
        <Button variant="primary" icon={Link2} onClick={signup.start}>
          {t('signup.start')}
        </Button>
      )}
    </span>
  )
  return (
    <Section
      title={t('numbers')}
      description={t('numbers.text')}
      actions={numbers && numbers.length > 0 && connectButton}
    >
      <UnfinishedSignups onOpen={signup.open} />
      {signup.dialogs}
      {isPending ? (
        <SkeletonRows />
      ) : isLoadingError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : numbers.length === 0 ? (
        <Empty icon={Phone} title={t('numbers.empty')} action={connectButton}>
          {t('numbers.empty.text')}
        </Empty>
      ) : (
        <ul className="flex flex-col gap-3">
          {numbers.map((number) => (
            <NumberCard key={number.id} number={number} onOpen={setOpened} />
          ))}
        </ul>
      )}
      {isConnecting && (
        <ConnectNumber
          isSandbox={session.workspace.sandbox}
          isHosted={isHosted}
          onClose={() => {
            setConnecting(false)
            void refresh(READS)
          }}
        />
      )}
      {opened?.as === 'token' && <ReplaceToken number={opened.number} onClose={close} />}
      <Confirm
        open={opened?.as === 'disconnect'}
        onClose={close}
        title={t('numbers.disconnect.title', { number: opened?.number.number ?? '' })}
        description={t('numbers.disconnect.text')}
        action={t('numbers.disconnect')}
        onConfirm={() => opened && disconnect.mutate(opened.number)}
        busy={disconnect.isPending}
        danger
      />
    </Section>
  )
}
