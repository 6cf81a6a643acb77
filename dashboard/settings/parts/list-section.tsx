import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { useIsWide } from '../../kit/width.ts'
import { t } from '../texts.ts'
import { useWrite } from '../use-write.ts'

type Page<Row> = { rows: Row[]; nextCursor: string | null }
type Props<Row> = {
  /** The prefix of its text keys. */
  name: 'replies' | 'macros' | 'teams' | 'tags' | 'segments' | 'fields' | 'services' | 'staff'
  icon: LucideIcon
  query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  remove: (row: Row) => Promise<unknown>
  reads: readonly string[]
  /** False for a member who can only read the list. */
  mayEdit?: boolean
  /** Returns the form of a row, or of a new row. */
  form: (row: Row | undefined, onClose: () => void) => ReactNode
}

/** Returns one column: on a phone, the other cells are below the name. */
function stacked<Row>([first, ...others]: readonly Column<Row>[]): readonly Column<Row>[] {
  if (!first) return []
  const cell = (row: Row) => (
    <div className="flex min-w-0 flex-col items-start gap-0.5">
      {first.cell(row)}
      {others.length > 0 && (
        <div className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-0.5 text-sm text-ink-2">
          {others.map((column) => (
            <div key={column.id} className="max-w-full empty:hidden">
              {column.isNamed && <span className="text-ink-3">{column.title}: </span>}
              {column.cell(row)}
            </div>
          ))}
        </div>
      )}
    </div>
  )
  return [{ ...first, cell }]
}

/** A list that members edit: add, change, remove. */
export function ListSection<Row extends { id: string }>(props: Props<Row>) {
  const { name, icon, query, columns, nameOf, remove, reads, form, mayEdit = true } = props
  const [editing, setEditing] = useState<{ row: Row | undefined }>()
  const [leaving, setLeaving] = useState<Row>()
  const removal = useWrite({
    work: remove,
    done: (_, row: Row) => t(`${name}.removed`, { name: nameOf(row) }),
    reads,
    after: () => setLeaving(undefined),
  })
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  const addButton = mayEdit && (
    <Button variant="primary" icon={Plus} onClick={() => setEditing({ row: undefined })}>
      {t(`${name}.add`)}
    </Button>
  )
  const isWide = useIsWide()
  const shownColumns = isWide ? columns : stacked(columns)
  const actions: Column<Row> = {
    id: 'actions',
    title: <span className="sr-only">{t('actions')}</span>,
    end: true,
    cell: (row) => (
      <span className="flex justify-end gap-1">
        <IconButton
          icon={Pencil}
          size="sm"
          label={t('edit.of', { name: nameOf(row) })}
          onClick={() => setEditing({ row })}
        />
        <IconButton
          icon={Trash2}
          size="sm"
          label={t('remove.of', { name: nameOf(row) })}
          onClick={() => setLeaving(row)}
        />
      </span>
    ),
  }
  return (
    <Section
      title={t(`${name}.title`)}
      description={t(`${name}.text`)}
      actions={rows.length > 0 && addButton}
    >
      <LoadedRows
        query={query}
        rows={rows}
        empty={
          <Empty icon={icon} title={t(`${name}.empty`)} action={addButton}>
            {t(`${name}.empty.text`)}
          </Empty>
        }
      >
        <Table
          label={t(`${name}.title`)}
          rows={rows}
          keyOf={({ id }) => id}
          columns={mayEdit ? [...shownColumns, actions] : shownColumns}
        />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
      {editing && form(editing.row, () => setEditing(undefined))}
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('remove.title', { name: leaving ? nameOf(leaving) : '' })}
        description={t(`${name}.remove.text`)}
        action={t('remove')}
        onConfirm={() => leaving && removal.mutate(leaving)}
        busy={removal.isPending}
        danger
      />
    </Section>
  )
}
