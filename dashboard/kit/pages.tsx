import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { IconButton } from './button.tsx'
import { t } from './texts.ts'

type Props = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

/**
 * Shows the last page if the page in the address no longer exists, because rows have left the list. `total`:
 * of this list; undefined until it is known.
 */
export function useLastPage({
  page,
  pageSize,
  total,
}: Pick<Props, 'page' | 'pageSize'> & { total: number | undefined }) {
  const navigate = useNavigate()
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / pageSize))
  useEffect(() => {
    if (page <= last) return
    const search = (before: object) => ({ ...before, page: last > 1 ? last : undefined })
    void navigate({ to: '.', search, replace: true } as never)
  }, [page, last, navigate])
}

/** Navigates pages numbered from 1; shows nothing for a single page. */
export function Pages({ page, pageSize, total, onPage }: Props) {
  if (total <= pageSize && page === 1) return null
  const from = Math.min((page - 1) * pageSize + 1, total)
  return (
    <nav aria-label={t('pages')} className="flex items-center justify-end gap-2 py-2 text-sm text-ink-2">
      <span>{t('pages.of', { from, to: Math.min(page * pageSize, total), total })}</span>
      <IconButton
        icon={ChevronLeft}
        size="sm"
        label={t('pages.previous')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon={ChevronRight}
        size="sm"
        label={t('pages.next')}
        disabled={page * pageSize >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
