/** Shows the messages whose text matches a search in the inbox. */
import { Link } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { useId } from 'react'
import type { Reply } from '../../api/request.ts'
import { Time } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { searchOf, type ViewSearch } from '../view.ts'
import { HEADING } from './group-heading.tsx'

type Props = {
  found: Reply<'GET /search'>['results']
  workspace: string
  view: ViewSearch
}

/** Lists messages; each opens its chat at the message. */
export function FoundMessages({ found, workspace, view }: Props) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="shrink-0">
      <h2 id={headingId} className={HEADING}>
        {t('found.messages')}
      </h2>
      <ul>
        {found.map(({ id, parentId, title, snippet, at }) => (
          <li key={id}>
            <Link
              to={`/w/${workspace}/inbox/${parentId}` as never}
              search={{ ...searchOf(view), message: id } as never}
              data-found={id}
              className="flex items-start gap-3 px-4 py-2.5 hover:bg-surface-2"
            >
              <MessageSquareText aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                    {title}
                  </span>
                  <span className="shrink-0 text-xs text-ink-3">
                    <Time at={at} />
                  </span>
                </span>
                <span dir="auto" className="line-clamp-2 text-sm text-ink-2">
                  {snippet}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
