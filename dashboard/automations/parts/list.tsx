import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Automation } from '../../../sdk/api.ts'
import { ServerText } from '../../api/server-text.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Switch } from '../../kit/switch.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { formatTrigger } from '../format.ts'
import { changeAutomation } from '../queries.ts'
import { t } from '../texts.ts'

type SwitchProps = { automation: Automation; mayWrite: boolean; label?: string }

/** A switch that takes effect immediately. */
export function OnSwitch({ automation, mayWrite, label }: SwitchProps) {
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (enabled: boolean) => changeAutomation(automation.id, { enabled }),
    onSuccess: (_, enabled) =>
      notify({ title: t(enabled ? 'switched.on' : 'switched.off', { name: automation.name }), kind: 'good' }),
    onError: notifyError,
  })
  const name = t('switch.of', { name: automation.name })
  return (
    <Switch
      label={
        label ? (
          <>
            <span aria-hidden>{label}</span>
            <span className="sr-only">{name}</span>
          </>
        ) : (
          <span className="sr-only">{name}</span>
        )
      }
      checked={isPending ? variables : automation.enabled}
      disabled={!mayWrite}
      onChange={mutate}
    />
  )
}

type Props = { automations: readonly Automation[]; workspace: string; mayWrite: boolean }

export const AutomationTable = ({ automations, workspace, mayWrite }: Props) => (
  <Table
    label={t('list')}
    rows={automations}
    keyOf={({ id }) => id}
    columns={[
      {
        id: 'name',
        title: t('column.name'),
        className: 'w-full max-w-0',
        cell: ({ id, name, trigger, disabledReason, stats: { failed } }) => (
          <>
            <Link
              to={`/w/${workspace}/automations/${id}`}
              data-automation
              className="block truncate font-medium hover:underline"
            >
              {name}
            </Link>
            <span className="block truncate text-sm text-ink-2">{formatTrigger(trigger)}</span>
            {failed > 0 && (
              <span className="block text-sm text-bad sm:hidden">{t('failed.count', { count: failed })}</span>
            )}
            {disabledReason && (
              <span className="mt-1 flex flex-wrap items-center gap-x-2 text-sm">
                <Badge tone="warn">{t('off.by')}</Badge>
                <span className="min-w-0 break-words text-ink-2">
                  <ServerText>{disabledReason}</ServerText>
                </span>
              </span>
            )}
          </>
        ),
      },
      {
        id: 'runs',
        title: t('column.runs'),
        end: true,
        hideBelow: 'sm',
        cell: ({ stats: { done, skipped, failed } }) => done + skipped + failed,
      },
      {
        id: 'failed',
        title: t('column.failed'),
        end: true,
        hideBelow: 'sm',
        cell: ({ stats }) =>
          stats.failed > 0 ? <span className="font-medium text-bad">{stats.failed}</span> : 0,
      },
      {
        id: 'last',
        title: t('column.last'),
        hideBelow: 'md',
        className: 'whitespace-nowrap',
        cell: ({ stats: { lastRunAt } }) =>
          lastRunAt ? (
            <Time at={lastRunAt} className="text-ink-2" />
          ) : (
            <span className="text-ink-3">{t('never')}</span>
          ),
      },
      {
        id: 'on',
        title: t('column.on'),
        end: true,
        cell: (automation) => <OnSwitch automation={automation} mayWrite={mayWrite} />,
      },
    ]}
  />
)
