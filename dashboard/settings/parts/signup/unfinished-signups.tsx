import { useQuery } from '@tanstack/react-query'
import { callDashboard } from '../../../api/request.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { t } from '../../texts.ts'
import { useWrite } from '../../use-write.ts'
import { signupsQuery } from './queries.ts'

const UNFINISHED: readonly string[] = ['unfinished', 'choosing']

/** Offers to continue the signups that wait. */
export function UnfinishedSignups({ onOpen }: { onOpen: (id: string) => void }) {
  const { data } = useQuery(signupsQuery)
  const discard = useWrite({
    work: (id: string) => callDashboard('DELETE /number-signups/{id}', { params: { id } }),
    done: () => t('signup.discarded'),
    reads: ['numberSignup'],
  })
  const waiting = data?.signups.filter(({ state }) => UNFINISHED.includes(state)) ?? []
  return waiting.map(({ id, number }) => (
    <Callout
      key={id}
      kind="warn"
      action={
        <span className="flex shrink-0 flex-wrap gap-1">
          <Button size="sm" onClick={() => onOpen(id)}>
            {t('signup.continue')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => discard.mutate(id)}>
            {t('signup.discard')}
          </Button>
        </span>
      }
    >
      {number === null ? t('signup.unfinished') : t('signup.unfinished.number', { number })}
    </Callout>
  ))
}
