/** Shows the leads of a period by stage and by source. */
import { formatNumber } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { formatMoney } from '../../kit/money.ts'
import { t } from '../texts.ts'
import { BarChart } from './bar-chart.tsx'
import { Figures } from './figures.tsx'
import { type Shown, useReport } from './queries.ts'
import { formatRate, rateOf } from './rate.ts'

const countColumn = <Row,>(id: string, title: string, of: (row: Row) => number): DataColumn<Row> => ({
  id,
  title,
  end: true,
  cell: (row) => formatNumber(of(row)),
  value: of,
})
const moneyColumn = <Row,>(id: string, title: string, of: (row: Row) => number): DataColumn<Row> => ({
  id,
  title,
  end: true,
  cell: (row) => formatMoney(of(row)),
  value: of,
})

export function SalesReport(shown: Shown) {
  const { query, data, before } = useReport('sales', shown)
  const isEmpty = !data || data.leads === 0
  const stages = isEmpty ? [] : data.byStage
  const sources = isEmpty ? [] : data.bySource
  type Stage = (typeof stages)[number]
  type Source = (typeof sources)[number]
  const sourceName = ({ source }: Source): string => source ?? t('sales.source.none')
  return (
    <>
      {data && (
        <Figures
          figures={[
            { name: t('leads'), value: data.leads, before: before?.leads, format: formatNumber },
            { name: t('sales.won'), value: data.won, before: before?.won, format: formatNumber },
            {
              name: t('sales.rate'),
              value: rateOf(data.won, data.leads),
              before: before && rateOf(before.won, before.leads),
              format: formatRate,
            },
            {
              name: t('sales.wonValue'),
              value: data.wonValue,
              before: before?.wonValue,
              format: formatMoney,
            },
            { name: t('sales.paid'), value: data.paidTotal, before: before?.paidTotal, format: formatMoney },
          ]}
        />
      )}
      <DataPanel
        id="sales-by-stage"
        title={t('sales.stages')}
        description={t('sales.stages.text')}
        query={query}
        rows={stages}
        keyOf={({ stageId }) => stageId}
        empty={t('sales.none')}
        columns={[
          { id: 'stage', title: t('stage'), cell: ({ name }) => name, value: ({ name }) => name },
          countColumn<Stage>('leads', t('leads'), ({ leads }) => leads),
          countColumn<Stage>('reached', t('sales.reachedCount'), ({ reached }) => reached),
          moneyColumn<Stage>('value', t('value'), ({ dealValue }) => dealValue),
          moneyColumn<Stage>('paid', t('sales.paid'), ({ paidTotal }) => paidTotal),
        ]}
      >
        <BarChart
          label={t('sales.reached')}
          rows={stages.map(({ stageId, name, reached }) => ({
            id: stageId,
            name,
            value: reached,
            text: formatNumber(reached),
          }))}
        />
      </DataPanel>
      <DataPanel
        id="sales-by-source"
        title={t('sales.sources')}
        description={t('sales.sources.text')}
        query={query}
        rows={sources}
        keyOf={({ source }) => source ?? ''}
        empty={t('sales.none')}
        columns={[
          { id: 'source', title: t('sales.source'), cell: sourceName, value: sourceName },
          countColumn<Source>('leads', t('leads'), ({ leads }) => leads),
          countColumn<Source>('won', t('sales.won'), ({ won }) => won),
          countColumn<Source>('lost', t('sales.lost'), ({ lost }) => lost),
          {
            id: 'rate',
            title: t('sales.rate'),
            end: true,
            cell: ({ won, leads }) => formatRate(rateOf(won, leads) ?? 0),
            value: ({ won, leads }) => rateOf(won, leads),
          },
          moneyColumn<Source>('value', t('sales.wonValue'), ({ wonValue }) => wonValue),
          moneyColumn<Source>('paid', t('sales.paid'), ({ paidTotal }) => paidTotal),
        ]}
      >
        <BarChart
          label={t('sales.sources')}
          rows={sources.slice(0, 10).map((row) => ({
            id: row.source ?? '',
            name: sourceName(row),
            value: row.leads,
            text: formatNumber(row.leads),
          }))}
        />
      </DataPanel>
    </>
  )
}
