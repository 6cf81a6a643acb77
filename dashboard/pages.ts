/**
 * Defines every page of a workspace. Routes, the menu, `g` shortcuts, the palette, and page tests use these
 * values.
 */
import {
  Bell,
  Bot,
  CalendarCheck,
  Camera,
  ChartLine,
  CircleUserRound,
  ClipboardList,
  ContactRound,
  FileCheck,
  FileText,
  Inbox,
  IndianRupee,
  Kanban,
  KeyRound,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  Megaphone,
  MessageSquareReply,
  MessagesSquare,
  Plug,
  ScrollText,
  Settings,
  ShoppingBag,
  SlidersHorizontal,
  Smartphone,
  Star,
  Target,
  Users,
  Webhook,
  Zap,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { ChangeRule, ListRule } from './api/changes.ts'
import type { Role } from './api/session.ts'
import type en from './shell/en.json'

/** The exports of a page's file. */
export type PageModule = {
  default: ComponentType
  /** Requests the page's first data before the page is drawn. */
  readAhead?: (search: Record<string, unknown>) => void
  /** The page's lists whose rows are updated by ID. */
  lists?: readonly ListRule[]
  /** Reads further data again when items of a kind changed. */
  changeRules?: Readonly<Record<string, ChangeRule>>
}

/** The groups of the menu, in their order. */
export const MENU_GROUPS = [
  { id: 'talk', icon: MessagesSquare },
  { id: 'sell', icon: ShoppingBag },
  { id: 'market', icon: Target },
  { id: 'automate', icon: Zap },
  { id: 'measure', icon: ChartLine },
  { id: 'develop', icon: Webhook },
  { id: 'manage', icon: SlidersHorizontal },
] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]['id']

export type PageValue = {
  id: string
  /** Below `/w/{workspace}/`; `{-$name}` is optional. */
  path: string
  title: Extract<keyof typeof en, `page.${string}`>
  icon: LucideIcon
  /** The lowest role that can open the page. */
  role: Role
  group: MenuGroup
  /** Opened by `g` and this letter. */
  go?: string
  /** Shown as the bell, outside of the menu's groups. */
  bell?: true
  /** Only in workspaces with a simulated number. */
  sandboxOnly?: true
  /** Only in workspaces with the photo network add-on. */
  socialOnly?: true
  /** Only in workspaces with the module. */
  module?: 'invoicing' | 'bookings' | 'reviews'
  load: () => Promise<PageModule>
}

/**
 * Addresses outside the table of pages. The server answers these and the table's addresses with the page, and
 * all others with 404.
 */
export const FRAME_PATHS = {
  home: '/',
  signIn: '/sign-in',
  /** The API links here when the plan lacks a feature. */
  billing: '/billing',
  /** Apps send a browser here to ask for access (docs/decisions/assistants.md). */
  connectApp: '/connect-app',
  workspace: '/w/$workspace',
} as const

export const PAGES: readonly PageValue[] = [
  {
    id: 'inbox',
    path: 'inbox/{-$conversation}',
    title: 'page.inbox',
    icon: Inbox,
    role: 'viewer',
    group: 'talk',
    go: 'i',
    load: () => import('./inbox/page.tsx'),
  },
  {
    id: 'contacts',
    path: 'contacts/{-$contact}',
    title: 'page.contacts',
    icon: ContactRound,
    role: 'viewer',
    group: 'talk',
    go: 'c',
    load: () => import('./contacts/page.tsx'),
  },
  {
    id: 'leads',
    path: 'leads/{-$lead}',
    title: 'page.leads',
    icon: Kanban,
    role: 'viewer',
    group: 'sell',
    go: 'l',
    load: () => import('./leads/page.tsx'),
  },
  {
    id: 'tasks',
    path: 'tasks',
    title: 'page.tasks',
    icon: ListChecks,
    role: 'viewer',
    group: 'sell',
    go: 't',
    load: () => import('./tasks/page.tsx'),
  },
  {
    id: 'templates',
    path: 'templates/{-$template}',
    title: 'page.templates',
    icon: LayoutTemplate,
    role: 'viewer',
    group: 'market',
    go: 'f',
    load: () => import('./templates/page.tsx'),
  },
  {
    id: 'forms',
    path: 'forms/{-$form}',
    title: 'page.forms',
    icon: ClipboardList,
    role: 'viewer',
    group: 'automate',
    load: () => import('./forms/page.tsx'),
  },
  {
    id: 'campaigns',
    path: 'campaigns/{-$campaign}/{-$period}',
    title: 'page.campaigns',
    icon: Megaphone,
    role: 'viewer',
    group: 'market',
    go: 'b',
    load: () => import('./campaigns/page.tsx'),
  },
  {
    id: 'automations',
    path: 'automations/{-$automation}',
    title: 'page.automations',
    icon: Zap,
    role: 'viewer',
    group: 'automate',
    go: 'x',
    load: () => import('./automations/page.tsx'),
  },
  {
    id: 'auto-replies',
    path: 'auto-replies',
    title: 'page.autoReplies',
    icon: MessageSquareReply,
    role: 'viewer',
    group: 'automate',
    go: 'z',
    load: () => import('./auto-replies/page.tsx'),
  },
  {
    id: 'bots',
    path: 'bots/{-$bot}',
    title: 'page.bots',
    icon: Bot,
    role: 'viewer',
    group: 'automate',
    go: 'j',
    load: () => import('./bots/page.tsx'),
  },
  {
    id: 'sandbox',
    path: 'sandbox',
    title: 'page.sandbox',
    icon: Smartphone,
    role: 'agent',
    group: 'develop',
    go: 's',
    sandboxOnly: true,
    load: () => import('./sandbox/page.tsx'),
  },
  {
    id: 'events',
    path: 'events',
    title: 'page.events',
    icon: ScrollText,
    role: 'viewer',
    group: 'develop',
    go: 'e',
    load: () => import('./developers/page.tsx'),
  },
  {
    id: 'keys',
    path: 'keys',
    title: 'page.keys',
    icon: KeyRound,
    role: 'admin',
    group: 'develop',
    go: 'k',
    load: () => import('./keys/page.tsx'),
  },
  {
    id: 'members',
    path: 'members',
    title: 'page.members',
    icon: Users,
    role: 'admin',
    group: 'manage',
    go: 'm',
    load: () => import('./members/page.tsx'),
  },
  {
    id: 'webhooks',
    path: 'webhooks/{-$webhook}',
    title: 'page.webhooks',
    icon: Webhook,
    role: 'admin',
    group: 'develop',
    go: 'w',
    load: () => import('./webhooks/page.tsx'),
  },
  {
    id: 'settings',
    path: 'settings/{-$section}',
    title: 'page.settings',
    icon: Settings,
    role: 'agent',
    group: 'manage',
    go: 'o',
    load: () => import('./settings/page.tsx'),
  },
  {
    id: 'profile',
    path: 'profile',
    title: 'page.profile',
    icon: CircleUserRound,
    role: 'viewer',
    group: 'manage',
    go: 'u',
    load: () => import('./profile/page.tsx'),
  },
  {
    id: 'payments',
    path: 'payments/{-$payment}',
    title: 'page.payments',
    icon: IndianRupee,
    role: 'viewer',
    group: 'sell',
    go: 'y',
    load: () => import('./payments/page.tsx'),
  },
  {
    id: 'social',
    path: 'social/{-$view}/{-$chat}',
    title: 'page.social',
    icon: Camera,
    role: 'viewer',
    group: 'market',
    go: 'n',
    socialOnly: true,
    load: () => import('./social/page.tsx'),
  },
  {
    id: 'notifications',
    path: 'notifications',
    title: 'page.notifications',
    icon: Bell,
    role: 'viewer',
    group: 'talk',
    go: 'h',
    bell: true,
    load: () => import('./notifications/page.tsx'),
  },
  {
    id: 'analytics',
    path: 'analytics/{-$report}',
    title: 'page.analytics',
    icon: ChartLine,
    role: 'viewer',
    group: 'measure',
    go: 'a',
    load: () => import('./analytics/page.tsx'),
  },
  {
    id: 'quotations',
    path: 'quotations/{-$document}',
    title: 'page.quotations',
    icon: FileCheck,
    role: 'viewer',
    group: 'sell',
    go: 'q',
    module: 'invoicing',
    load: () => import('./sales/quotations-page.tsx'),
  },
  {
    id: 'invoices',
    path: 'invoices/{-$document}',
    title: 'page.invoices',
    icon: FileText,
    role: 'viewer',
    group: 'sell',
    go: 'v',
    module: 'invoicing',
    load: () => import('./sales/invoices-page.tsx'),
  },
  {
    id: 'reviews',
    path: 'reviews/{-$view}',
    title: 'page.reviews',
    icon: Star,
    role: 'viewer',
    group: 'market',
    go: 'r',
    module: 'reviews',
    load: () => import('./reviews/page.tsx'),
  },
  {
    id: 'bookings',
    path: 'bookings/{-$view}/{-$day}',
    title: 'page.bookings',
    icon: CalendarCheck,
    role: 'viewer',
    group: 'sell',
    go: 'd',
    module: 'bookings',
    load: () => import('./bookings/page.tsx'),
  },
  {
    id: 'integrations',
    path: 'integrations/{-$name}',
    title: 'page.integrations',
    icon: Plug,
    role: 'viewer',
    group: 'manage',
    go: 'g',
    load: () => import('./integrations/page.tsx'),
  },
]

/** Returns the address of a page without its optional parts. */
export const plainPath = (page: PageValue): string => page.path.replace(/\/\{-\$\w+\}/g, '')
