import { laterOpen } from './later.tsx'

/** A picture, a film or a document over the whole page. */
export const Viewer = laterOpen(() => import('./viewer-popup.tsx').then((one) => one.ViewerPopup))
