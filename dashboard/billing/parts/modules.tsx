import { useMutation, useQuery } from '@tanstack/react-query'
import type { DashboardApi } from '../../../sdk/api.ts'
import { queryClient } from '../../api/cache.ts'
import { callDashboard } from '../../api/request.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { Section } from '../../kit/page.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { modulesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CommandNote } from './command-note.tsx'

type Modules = DashboardApi['GET /modules']['reply']
type Name = keyof Modules['modules']

const NAMES = {
  invoicing: 'module.invoicing',
  bookings: 'module.bookings',
  reviews: 'module.reviews',
  social: 'addon.social',
} as const satisfies Record<Name, string>

/** Turns the modules of the workspace on and off. The menu follows, because it is drawn from the session. */
export function ModulesPart({ workspace }: { workspace: string }) {
  const { member } = useWorkspaceSession(workspace)
  const { data, error, isPending, refetch } = useQuery(modulesQuery)
  const change = useMutation({
    mutationFn: ({ name, isOn }: { name: Name; isOn: boolean }) =>
      callDashboard('PATCH /modules', { body: { [name]: isOn } }),
    onSuccess: (saved, { name, isOn }) => {
      queryClient.setQueryData(modulesQuery.queryKey, saved)
      notify({ title: t(isOn ? 'modules.on' : 'modules.off', { name: t(NAMES[name]) }), kind: 'good' })
      return queryClient.invalidateQueries({ queryKey: ['session'] })
    },
    onError: notifyError,
  })
  if (isPending) return <SkeletonRows rows={4} />
  if (data === undefined) return <Failed error={error} onRetry={() => void refetch()} />
  const mayChange = member.owner && data.changeable
  return (
    <Section title={t('modules')} description={t('modules.text')}>
      <div className="flex max-w-2xl flex-col gap-2">
        {(Object.keys(NAMES) as Name[]).map((name) => (
          <Switch
            key={name}
            label={t(NAMES[name])}
            checked={data.modules[name]}
            disabled={!mayChange || change.isPending}
            onChange={(isOn) => change.mutate({ name, isOn })}
          />
        ))}
        {!data.changeable ? (
          <CommandNote command={t('modules.command', { workspace })}>
            {t('modules.administrator')}
          </CommandNote>
        ) : (
          !member.owner && <Callout>{t('modules.owner')}</Callout>
        )}
      </div>
    </Section>
  )
}
