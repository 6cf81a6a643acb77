/** How the workspace is set up: a section each, by what the member may change. */
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { type Role, reaches, useHere } from '../api/session.ts'
import { later } from '../kit/later.tsx'
import { Page } from '../kit/page.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { t } from './words.ts'

const Log = later(() => import('./parts/log.tsx').then((one) => one.Log))

/** Each is loaded when it is opened. */
const SECTIONS = {
  workspace: {
    role: 'admin',
    Part: later(() => import('./parts/workspace.tsx').then((one) => one.WorkspaceSettings)),
  },
  numbers: { role: 'admin', Part: later(() => import('./parts/numbers.tsx').then((one) => one.Numbers)) },
  hours: { role: 'agent', Part: later(() => import('./parts/hours.tsx').then((one) => one.BusinessHours)) },
  pipeline: {
    role: 'admin',
    Part: later(() => import('./parts/pipeline.tsx').then((one) => one.PipelineSettings)),
  },
  replies: { role: 'agent', Part: later(() => import('./parts/replies.tsx').then((one) => one.Replies)) },
  tags: { role: 'agent', Part: later(() => import('./parts/tags.tsx').then((one) => one.TagsSettings)) },
  fields: {
    role: 'agent',
    Part: later(() => import('./parts/contact-fields.tsx').then((one) => one.ContactFields)),
  },
  sales: {
    role: 'admin',
    Part: later(() => import('../sales/parts/settings.tsx').then((one) => one.SalesSettingsSection)),
  },
  ratings: {
    role: 'admin',
    Part: later(() => import('../reviews/parts/settings.tsx').then((one) => one.RatingsAndReviews)),
  },
  bookings: {
    role: 'admin',
    Part: later(() => import('./parts/bookings.tsx').then((one) => one.BookingsSettings)),
  },
  security: {
    role: 'admin',
    Part: later(() => import('./parts/security.tsx').then((one) => one.SecuritySettings)),
  },
  'sign-ins': { role: 'admin', Part: () => <Log name="signIns" around={<SkeletonRows />} /> },
  activity: { role: 'admin', Part: () => <Log name="activity" around={<SkeletonRows />} /> },
  usage: {
    role: 'admin',
    Part: later(() => import('../billing/parts/plan-and-usage.tsx').then((one) => one.PlanAndUsage)),
  },
  start: { role: 'admin', Part: later(() => import('./parts/start.tsx').then((one) => one.FirstSteps)) },
} as const satisfies Record<string, { role: Role; Part: ComponentType<{ around?: ReactNode }> }>
type Section = keyof typeof SECTIONS

export default function SettingsPage() {
  const { workspace, section } = useParams({ strict: false }) as { workspace: string; section?: string }
  const here = useHere(workspace)
  const navigate = useNavigate()
  const open = (Object.keys(SECTIONS) as Section[]).filter((one) =>
    reaches(here.member.role, SECTIONS[one].role),
  )
  const shown = open.find((one) => one === section) ?? open[0]!
  const { Part } = SECTIONS[shown]
  return (
    <Page title={t('title')} wide>
      <Tabs
        label={t('sections')}
        tabs={open.map((value) => ({ value, label: t(`section.${value}`) }))}
        value={shown}
        onChange={(next) => void navigate({ to: `/w/${workspace}/settings/${next}` })}
      />
      <div className="pt-6">
        <Part around={<SkeletonRows />} />
      </div>
    </Page>
  )
}
