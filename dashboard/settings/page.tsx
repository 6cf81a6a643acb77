/**
 * Shows the settings of the workspace in sections, limited to those the member may change. A phone first
 * shows the list of sections, then one section.
 */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react'
import { hasRole, type Role, useWorkspaceSession } from '../api/session.ts'
import { lazyComponent } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { useIsWide } from '../kit/width.ts'
import { settingsIndexQuery } from '../settings-search.ts'
import { useCommands } from '../shell/commands-store.ts'
import { SETTINGS_COMMANDS } from './commands.ts'
import { markSetting } from './parts/mark-setting.ts'
import { SectionList } from './parts/section-list.tsx'
import { GROUPS, type Section, type SectionGroup } from './parts/sections.ts'
import { SettingsSearch } from './parts/settings-search.tsx'
import { t } from './texts.ts'

const Log = lazyComponent(() => import('./parts/log.tsx').then((module) => module.Log))

/** Each section is loaded when it is opened. */
const PARTS: Record<Section, ComponentType<{ around?: ReactNode }>> = {
  workspace: lazyComponent(() => import('./parts/workspace.tsx').then((module) => module.WorkspaceSettings)),
  numbers: lazyComponent(() => import('./parts/numbers.tsx').then((module) => module.Numbers)),
  hours: lazyComponent(() => import('./parts/hours.tsx').then((module) => module.BusinessHours)),
  pipeline: lazyComponent(() => import('./parts/pipeline.tsx').then((module) => module.PipelineSettings)),
  replies: lazyComponent(() => import('./parts/replies.tsx').then((module) => module.Replies)),
  macros: lazyComponent(() => import('./parts/macros.tsx').then((module) => module.Macros)),
  tags: lazyComponent(() => import('./parts/tags.tsx').then((module) => module.TagsSettings)),
  segments: lazyComponent(() => import('./parts/segments.tsx').then((module) => module.SegmentsSettings)),
  fields: lazyComponent(() => import('./parts/contact-fields.tsx').then((module) => module.ContactFields)),
  sales: lazyComponent(() =>
    import('../sales/parts/settings.tsx').then((module) => module.SalesSettingsSection),
  ),
  ratings: lazyComponent(() =>
    import('../reviews/parts/settings.tsx').then((module) => module.RatingsAndReviews),
  ),
  bookings: lazyComponent(() => import('./parts/bookings.tsx').then((module) => module.BookingsSettings)),
  teams: lazyComponent(() => import('./parts/teams.tsx').then((module) => module.Teams)),
  security: lazyComponent(() => import('./parts/security.tsx').then((module) => module.SecuritySettings)),
  'sign-ins': () => <Log name="signIns" around={<SkeletonRows />} />,
  activity: () => <Log name="activity" around={<SkeletonRows />} />,
  usage: lazyComponent(() =>
    import('../billing/parts/plan-and-usage.tsx').then((module) => module.PlanAndUsage),
  ),
  'move-in': lazyComponent(() => import('./parts/move-in/move-in.tsx').then((module) => module.MoveIn)),
  start: lazyComponent(() => import('./parts/first-steps.tsx').then((module) => module.FirstSteps)),
}

/** Returns the sections that a role may open, by group, without empty groups. */
const groupsFor = (role: Role) =>
  (Object.keys(GROUPS) as SectionGroup[])
    .map((group) => ({
      group,
      sections: (Object.entries(GROUPS[group]) as [Section, Role][])
        .filter(([, lowest]) => hasRole(role, lowest))
        .map(([section]) => section),
    }))
    .filter(({ sections }) => sections.length > 0)

/** Marks the field that the address names, also when its result is opened again. */
function useMarkedSetting(): void {
  const { find } = useSearch({ strict: false }) as { find?: string }
  const visit = useLocation({ select: ({ state }) => (state as { __TSR_key?: string }).__TSR_key })
  const { data: index } = useQuery({ ...settingsIndexQuery, enabled: find !== undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit marks the field
  useEffect(() => {
    const name = find === undefined ? undefined : index?.findSetting(find)?.mark
    return name === undefined ? undefined : markSetting(name)
  }, [find, index, visit])
}

export default function SettingsPage() {
  const { workspace, section } = useParams({ strict: false }) as { workspace: string; section?: string }
  const { role } = useWorkspaceSession(workspace).member
  const groups = groupsFor(role)
  const field = useRef<HTMLInputElement>(null)
  useMarkedSetting()
  const allSections = groups.flatMap(({ sections }) => sections)
  const isWide = useIsWide()
  const requested = allSections.find((candidate) => candidate === section)
  const shown = requested ?? (isWide ? allSections[0] : undefined)
  const Part = shown && PARTS[shown]
  useCommands(SETTINGS_COMMANDS, { search: () => field.current?.focus() }, { title: t })
  // The first steps are a page of their own.
  if (Part && requested === 'start')
    return (
      <div data-part={requested} className="contents">
        <Part />
      </div>
    )
  return (
    <Page
      title={t('title')}
      wide
      back={
        Part &&
        !isWide && (
          <Link
            to={`/w/${workspace}/settings` as string}
            className="inline-flex min-h-12 items-center gap-1.5 font-medium text-accent"
          >
            <ArrowLeft aria-hidden size={16} className="rtl:-scale-x-100" />
            {t('sections.all')}
          </Link>
        )
      }
    >
      <div className="md:grid md:grid-cols-[12rem_minmax(0,1fr)] md:gap-x-10">
        {(isWide || !shown) && (
          <div className="md:sticky md:top-6 md:self-start">
            <SettingsSearch workspace={workspace} role={role} field={field}>
              <SectionList groups={groups} workspace={workspace} shown={shown} />
            </SettingsSearch>
          </div>
        )}
        {Part && (
          <div data-detail={requested && true} className="min-w-0">
            <div data-part={shown}>
              <Part key={shown} around={<SkeletonRows />} />
            </div>
          </div>
        )}
      </div>
    </Page>
  )
}
