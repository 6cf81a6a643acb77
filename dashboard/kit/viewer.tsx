import { lazyPopup } from './lazy.tsx'

/** Shows a picture, video, or document over the whole page. */
export const Viewer = lazyPopup(() => import('./viewer-popup.tsx').then((module) => module.ViewerPopup))
