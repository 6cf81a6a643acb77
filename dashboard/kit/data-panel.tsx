/** Shows a part of a page with figures: as a table, with optional charts, and as a file to download. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { downloadCsv } from './csv.ts'
import { LoadedRows } from './loaded-rows.tsx'
import { Section } from './page.tsx'
import { SkeletonRows } from './states.tsx'
import { type Column, Table } from './table.tsx'
import { t } from './texts.ts'

export type DataColumn<Row> = Column<Row> & {
  title: string
  /** The value in the file; without it, the column is only shown on the page. */
  value?: (row: Row) => string | number | null
}

type Props<Row> = {
  id: string
  title: string
  description: string
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'>
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  empty: string
  /** Between the heading and the table. */
  children?: ReactNode
  actions?: ReactNode
  hideTable?: boolean
  /** The labels of the button that shows and hides a long table; a printed page has it. Without them, it is always shown. */
  fold?: { show: string; hide: string }
}

export function DataPanel<Row>(props: Props<Row>) {
  const { id, title, description, query, columns, rows, keyOf, empty, children, actions, hideTable, fold } =
    props
  const [isUnfolded, setUnfolded] = useState(false)
  const download = () => {
    const exportColumns = columns.flatMap(({ title: heading, value }) => (value ? [{ heading, value }] : []))
    downloadCsv(id, [
      exportColumns.map(({ heading }) => heading),
      ...rows.map((row) => exportColumns.map(({ value }) => value(row))),
    ])
  }
  return (
    <Section
      title={title}
      description={description}
      actions={
        <div className="flex flex-wrap gap-2">
          {actions}
          <Button size="sm" icon={Download} disabled={rows.length === 0} onClick={download}>
            {t('csv')}
          </Button>
        </div>
      }
    >
      <LoadedRows
        query={query}
        rows={rows}
        outline={<SkeletonRows rows={4} />}
        empty={<p className="rounded-lg border bg-surface-2 px-4 py-6 text-center text-ink-2">{empty}</p>}
      >
        <div className="flex flex-col gap-3">
          {children}
          {fold && (
            <Button
              size="sm"
              variant="ghost"
              className="self-start"
              aria-expanded={isUnfolded}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              {isUnfolded ? fold.hide : fold.show}
            </Button>
          )}
          {!hideTable && (
            <div className={fold && !isUnfolded ? 'hidden print:block' : undefined}>
              <Table label={title} columns={columns} rows={rows} keyOf={keyOf} isPlain />
            </div>
          )}
        </div>
      </LoadedRows>
    </Section>
  )
}
