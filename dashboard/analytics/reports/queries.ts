/** Reads the reports of a period. */
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '../../api/request.ts'
import type { Period } from './period.ts'

const FRESH_MS = 5 * 60_000

/** How each report is read. */
const READS = {
  volume: (query: Period) => call('GET /reports/volume', { query }),
  responseTimes: (query: Period) => call('GET /reports/response-times', { query }),
  resolutionTimes: (query: Period) => call('GET /reports/resolution-times', { query }),
  satisfaction: (query: Period) => call('GET /reports/satisfaction', { query }),
  sales: (query: Period) => call('GET /reports/sales', { query }),
  campaigns: (query: Period) => call('GET /reports/campaigns', { query }),
}
export type ReportName = keyof typeof READS
export type ReportData<Name extends ReportName> = Awaited<ReturnType<(typeof READS)[Name]>>

const reportQuery = <Name extends ReportName>(name: Name, period: Period | undefined) =>
  queryOptions({
    queryKey: ['analytics', 'list', name, period?.from, period?.to],
    queryFn: period ? () => READS[name](period) as Promise<ReportData<Name>> : skipToken,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  })

export type Shown = { period: Period; before: Period | undefined }

/** Returns the report of a period, and of the period before, if it is compared. */
export function useReport<Name extends ReportName>(name: Name, { period, before }: Shown) {
  const query = useQuery(reportQuery(name, period))
  // One after the other, because a workspace runs only a few reports at the same time.
  const isRead = query.data !== undefined && !query.isPlaceholderData
  const { data: dataBefore } = useQuery(reportQuery(name, isRead ? before : undefined))
  return { query, data: query.data, before: before && dataBefore }
}
