import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callDashboard } from '../../api/request.ts'
import { Section } from '../../kit/page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { t } from '../texts.ts'

const weeklyMailQuery = queryOptions({
  queryKey: ['weeklyMail', 'one', 'own'],
  queryFn: () => callDashboard('GET /weekly-mail'),
})

/** Turns the weekly email of this workspace on or off. Hidden while the workspace gets none. */
export function WeeklyMail() {
  const client = useQueryClient()
  const { data } = useQuery(weeklyMailQuery)
  const change = useMutation({
    mutationFn: (enabled: boolean) => callDashboard('PUT /weekly-mail', { body: { enabled } }),
    onSuccess: (choice) => client.setQueryData(weeklyMailQuery.queryKey, choice),
    onError: notifyError,
  })
  if (!data?.isAvailable) return null
  return (
    <Section title={t('weekly')} description={t('weekly.text')}>
      <div className="max-w-md">
        <Switch
          label={t('weekly.switch')}
          checked={data.enabled}
          disabled={change.isPending}
          onChange={(enabled) => change.mutate(enabled)}
        />
      </div>
    </Section>
  )
}
