/** Shows a report of a period, on the screen and as a printed document. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import type { ComponentType } from 'react'
import { useWorkspaceSession } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { useNow } from '../../kit/time.tsx'
import { formatShortDay, localOf } from '../../kit/zone.ts'
import { t } from '../texts.ts'
import { CampaignsReport } from './campaigns.tsx'
import { PERIODS, periodBefore, periodName, periodOf, type ReportSearch } from './period.ts'
import type { ReportName, Shown } from './queries.ts'
import { ResolutionTimesReport } from './resolution-times.tsx'
import { ResponseTimesReport } from './response-times.tsx'
import { SalesReport } from './sales.tsx'
import { SatisfactionReport } from './satisfaction.tsx'
import { VolumeReport } from './volume.tsx'

const REPORTS: Record<ReportName, ComponentType<Shown>> = {
  volume: VolumeReport,
  responseTimes: ResponseTimesReport,
  resolutionTimes: ResolutionTimesReport,
  satisfaction: SatisfactionReport,
  sales: SalesReport,
  campaigns: CampaignsReport,
}
const COMPARE = ['before', 'none'] as const

export function ReportView({ report }: { report: ReportName }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { workspace: openWorkspace } = useWorkspaceSession(workspace)
  const search = useSearch({ strict: false }) as ReportSearch
  const navigate = useNavigate()
  const zone = openWorkspace.timezone
  const today = localOf(zone, useNow()).day
  const name = periodName(search)
  const period = periodOf(search, today)
  const compare = search.compare === 'none' ? 'none' : 'before'
  const change = (patch: ReportSearch) =>
    void navigate({
      to: '.',
      search: Object.fromEntries(
        Object.entries({ ...search, ...patch }).filter(([, value]) => value !== undefined),
      ),
    } as never)
  const Report = REPORTS[report]
  const onPeriod = (next: (typeof PERIODS)[number]) =>
    change(
      next === 'own'
        ? { period: next, from: period?.from, to: period?.to }
        : { period: next, from: undefined, to: undefined },
    )
  return (
    <>
      <div className="my-4 flex flex-wrap items-end gap-3 print:hidden">
        <Select
          name={t('period')}
          className="w-44 max-sm:w-full"
          value={name}
          onChange={onPeriod}
          choices={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
        {name === 'own' &&
          (['from', 'to'] as const).map((field) => (
            <TextField
              key={field}
              label={t(`period.${field}`)}
              type="date"
              max={today}
              defaultValue={period?.[field] ?? (typeof search[field] === 'string' ? search[field] : '')}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          ))}
        <Select
          name={t('compare')}
          className="w-52 max-sm:min-w-0 max-sm:flex-1"
          value={compare}
          onChange={(next) => change({ compare: next === 'none' ? next : undefined })}
          choices={COMPARE.map((value) => ({ value, label: t(`compare.${value}`) }))}
        />
        <Button icon={Printer} className="ms-auto" onClick={() => print()}>
          {t('print')}
        </Button>
      </div>
      {period ? (
        <>
          <header className="mb-6 hidden print:block">
            <p className="text-md font-semibold">
              {openWorkspace.name} · {t(`report.${report}`)}
            </p>
            <p className="text-ink-2">
              {t('printed', {
                period: `${formatShortDay(period.from)} – ${formatShortDay(period.to)}`,
                zone,
              })}
            </p>
          </header>
          <Report period={period} before={compare === 'before' ? periodBefore(period) : undefined} />
        </>
      ) : (
        <p role="alert" className="text-bad">
          {t('period.wrong')}
        </p>
      )}
    </>
  )
}
