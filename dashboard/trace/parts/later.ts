/** The panels of histories, loaded when one first opens. */
import { lazyPopup } from '../../kit/lazy.tsx'

export const LaterMessageHistory = lazyPopup(() =>
  import('./message-history.tsx').then((module) => module.MessageHistory),
)
export const LaterHistoryPanel = lazyPopup(() =>
  import('./history.tsx').then((module) => module.HistoryPanel),
)
