/** Lists the sections of the settings, by subject. */
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'
import type { Section, SectionGroup } from './sections.ts'

type ListProps = {
  groups: { group: SectionGroup; sections: Section[] }[]
  workspace: string
  /** Undefined if no section is open, as on a phone before one is chosen. */
  shown: Section | undefined
}

export const SectionList = ({ groups, workspace, shown }: ListProps) => (
  <nav aria-label={t('sections')} className="flex flex-col gap-5">
    {groups.map(({ group, sections }) => (
      <Group key={group} group={group} sections={sections} workspace={workspace} shown={shown} />
    ))}
  </nav>
)

function Group({
  group,
  sections,
  workspace,
  shown,
}: Omit<ListProps, 'groups'> & ListProps['groups'][number]) {
  const title = useId()
  return (
    <div>
      <h2 id={title} className="mb-1 px-2 text-sm font-semibold text-ink-3">
        {t(`group.${group}`)}
      </h2>
      <ul aria-labelledby={title}>
        {sections.map((section) => (
          <li key={section}>
            <Link
              to={`/w/${workspace}/settings/${section}` as string}
              aria-current={section === shown ? 'page' : undefined}
              className={classes(
                'flex min-h-8 items-center rounded-md px-2 py-1 max-md:min-h-11',
                section === shown
                  ? 'bg-accent-soft font-medium text-accent'
                  : 'text-ink-2 hover:bg-surface-3 hover:text-ink-1',
              )}
            >
              <span className="flex-1">{t(`section.${section}`)}</span>
              <ChevronRight aria-hidden size={16} className="text-ink-3 md:hidden" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
