/** Parts that few chats show, loaded when a chat needs them or the page is idle. */
import { lazyComponent } from '../../kit/lazy.tsx'

export const Assistant = lazyComponent(() =>
  import('./assistant/assistant.tsx').then((module) => module.Assistant),
)
export const BubbleActions = lazyComponent(() =>
  import('./bubble-actions.tsx').then((module) => module.BubbleActions),
)
export const Cards = lazyComponent(() => import('./kinds/cards.tsx').then((module) => module.Cards))
export const Order = lazyComponent(() => import('./order/order.tsx').then((module) => module.Order))
export const Interactive = lazyComponent(() =>
  import('./kinds/interactive.tsx').then((module) => module.Interactive),
)
export const TemplateMessage = lazyComponent(() =>
  import('./kinds/template.tsx').then((module) => module.TemplateMessage),
)
export const Failure = lazyComponent(() =>
  import('./not-delivered/failure.tsx').then((module) => module.Failure),
)
export const FileInPhone = lazyComponent(() =>
  import('./origin/origin.tsx').then((module) => module.FileInPhone),
)
export const Imported = lazyComponent(() => import('./origin/origin.tsx').then((module) => module.Imported))
export const Origin = lazyComponent(() => import('./origin/origin.tsx').then((module) => module.Origin))
export const Unsupported = lazyComponent(() =>
  import('./origin/origin.tsx').then((module) => module.Unsupported),
)
export const Skipped = lazyComponent(() =>
  import('./not-delivered/skipped.tsx').then((module) => module.Skipped),
)
export const HeldBy = lazyComponent(() => import('./held-notice.tsx').then((module) => module.HeldBy))
export const HeldNotice = lazyComponent(() => import('./held-notice.tsx').then((module) => module.HeldNotice))
export const Mentions = lazyComponent(() => import('./mentions.tsx').then((module) => module.Mentions))
export const OtherDraft = lazyComponent(() => import('./other-draft.tsx').then((module) => module.OtherDraft))
export const TeamName = lazyComponent(() => import('./team-name.tsx').then((module) => module.TeamName))
export const TeamSign = lazyComponent(() => import('./team-name.tsx').then((module) => module.TeamSign))
