import { laterOpen } from './later.tsx'

/** Shows a picture, video, or document over the whole page. */
export const Viewer = laterOpen(() => import('./viewer-popup.tsx').then((module) => module.ViewerPopup))
